import { useState } from 'react';
import { useSettled } from './use-settled.ts';

/** By the history entry in which it was typed, and by list: a page may show several. */
const kept = new Map<string, string>();

/** A list's search text, and its setter. Coming back from a result restores the list as it was. */
export function useKeptSearch(list = ''): [string, (search: string) => void] {
  const [entry] = useState(() => `${entryAtHand()} ${list}`);
  const [search, setSearch] = useState(() => kept.get(entry) ?? '');
  const change = (next: string) => {
    kept.set(entry, next);
    setSearch(next);
  };
  return [search, change];
}

/** The same for a list searched by the server: `wanted` is the text after a short pause in typing. */
export function useServerSearch(list?: string) {
  const [search, setSearch] = useKeptSearch(list);
  return { search, setSearch, wanted: useSettled(search.trim()) };
}

function entryAtHand(): string {
  return (history.state as { __TSR_key?: string } | null)?.__TSR_key ?? '';
}
