import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Notice } from '../ui/notice.tsx';
import { SearchInput } from '../ui/search-input.tsx';
import { useKeptSearch } from '../hooks/use-kept-search.ts';

/** A longer list gets a search field. */
export const SEEN_AT_ONCE = 12;

interface SearchedProps<Item> {
  items: readonly Item[];
  nameOf: (item: Item) => string;
  label: string;
  /** Shown if nothing is found. */
  none: { title: string; text: string };
  children: (found: Item[]) => ReactNode;
}

/** A fully loaded list, searchable by name once it is long. */
export function Searched<Item>({ items, nameOf, label, none, children }: SearchedProps<Item>) {
  const [search, setSearch] = useKeptSearch(label);
  const wanted = search.trim().toLowerCase();
  const found = items.filter((item) => nameOf(item).toLowerCase().includes(wanted));
  return (
    <Stack>
      {items.length > SEEN_AT_ONCE && <SearchInput label={label} value={search} onChange={setSearch} />}
      {found.length > 0 ? children(found) : <Notice {...none} />}
    </Stack>
  );
}
