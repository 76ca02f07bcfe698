import type { UseQueryResult } from '@tanstack/react-query';
import { notFound } from '@tanstack/react-router';
import { ApiError } from '../../contract/client.ts';
import { describeError } from './query-client.ts';

interface Query<T> {
  data: T | undefined;
  error: unknown;
  refetch: () => unknown;
}

/** A query as props of `QueryView`. */
export interface View<T> {
  data: T | undefined;
  error: string | null;
  onRetry: () => void;
}

/** Whether a list continues, as props of `ShowMore`. */
export interface More {
  isMore: boolean;
  busy: boolean;
  onMore: () => void;
}

export function viewOf<T>({ data, error, refetch }: Query<T>): View<T> {
  return { data, error: error ? describeError(error) : null, onRetry: () => void refetch() };
}

/** The entries of all loaded pages. */
export function listOf<Page, Entry>(
  query: Query<{ pages: Page[] }>,
  entriesOf: (page: Page) => Entry[],
): View<Entry[]> {
  return { ...viewOf(query), data: query.data?.pages.flatMap(entriesOf) };
}

interface PagedQuery {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

export function moreOf({ hasNextPage, isFetchingNextPage, fetchNextPage }: PagedQuery): More {
  return { isMore: hasNextPage, busy: isFetchingNextPage, onMore: () => void fetchNextPage() };
}

/** The same for a page's subject: if it doesn't exist, neither does the page. */
export function pageOf<T>(query: UseQueryResult<T>) {
  if (query.data === undefined && isNotFound(query.error)) throw notFound();
  return viewOf(query);
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Whether the add button is shown above a list: an empty one itself explains how to begin, and a failed one says nothing. */
export function isAddedAbove(list: readonly unknown[] | undefined, error: unknown): boolean {
  return Boolean(error) || (list?.length ?? 0) > 0;
}
