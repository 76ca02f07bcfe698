import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useSettled } from './use-settled.ts';

/** By the history entry in which it was typed, and by list: a page may show several. */
const kept = new Map<string, string>();

/** A list's search text, and its setter. Coming back from a result restores the list as it was. */
export function useKeptSearch(list = ''): [string, (search: string) => void] {
  const { pathname, state } = useLocation();
  const entry = `${state.__TSR_key} ${list}`;
  const [path] = useState(pathname);
  const [search, setSearch] = useState(() => kept.get(entry) ?? '');
  useEffect(() => {
    // A filter in the address replaces the entry; a page that is being left already has the next one's.
    if (pathname === path) kept.set(entry, search);
  }, [entry, pathname, path, search]);
  return [search, setSearch];
}

/** The same for a list searched by the server: `wanted` is the text after a short pause in typing. */
export function useServerSearch(list?: string) {
  const [search, setSearch] = useKeptSearch(list);
  return { search, setSearch, wanted: useSettled(search.trim()) };
}
