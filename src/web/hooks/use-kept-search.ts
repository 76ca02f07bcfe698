import { useState } from 'react';
import { useSettled } from './use-settled.ts';

/** By the entry of the browser's history in which it was typed, and the list: a page may show several. */
const kept = new Map<string, string>();

/** What a list is searched for, and how that is changed. Who comes back from what they found finds the list as they left it. */
export function useKeptSearch(list = ''): [string, (search: string) => void] {
  const [entry] = useState(() => `${entryAtHand()} ${list}`);
  const [search, setSearch] = useState(() => kept.get(entry) ?? '');
  const change = (next: string) => {
    kept.set(entry, next);
    setSearch(next);
  };
  return [search, change];
}

/** The same for a list that the server searches: `wanted` is what was typed, once nothing was for a moment. */
export function useServerSearch(list?: string) {
  const [search, setSearch] = useKeptSearch(list);
  return { search, setSearch, wanted: useSettled(search.trim()) };
}

function entryAtHand(): string {
  return (history.state as { __TSR_key?: string } | null)?.__TSR_key ?? '';
}
