import type { UseQueryResult } from '@tanstack/react-query';
import { describeError } from './query-client.ts';

/** What a query says, in the words of `QueryView`. */
export function viewOf<T>({ data, error, refetch }: UseQueryResult<T>) {
  return { data, error: error && describeError(error), onRetry: () => void refetch() };
}
