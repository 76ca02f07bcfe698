import type { UseQueryResult } from '@tanstack/react-query';
import { notFound } from '@tanstack/react-router';
import { ApiError } from '../contract/client.ts';
import { describeError } from './query-client.ts';

/** What a query says, in the words of `QueryView`. */
export function viewOf<T>({ data, error, refetch }: UseQueryResult<T>) {
  return { data, error: error && describeError(error), onRetry: () => void refetch() };
}

/** The same of what a page is about: where there is no such thing there is no such page. */
export function pageOf<T>(query: UseQueryResult<T>) {
  if (query.data === undefined && isNotFound(query.error)) throw notFound();
  return viewOf(query);
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Whether what adds to a list stands above it: an empty one says itself how to begin, and one that could not be loaded says nothing. */
export function isAddedAbove(list: readonly unknown[] | undefined, error: unknown): boolean {
  return Boolean(error) || (list?.length ?? 0) > 0;
}
