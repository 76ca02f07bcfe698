import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { laterApi } from '../../api/later-api.ts';
import type { ItemKey } from './use-sources.ts';

/** The revisions of an item, newest first. */
export function useRevisions({ id, knowledgeId }: ItemKey) {
  return useInfiniteQuery({
    queryKey: ['knowledge', id, knowledgeId, 'revisions'],
    queryFn: ({ pageParam, signal }) =>
      laterApi.revision.list({ id, knowledgeId, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    meta: { failure: 'getKnowledge', quiet: true },
  });
}

/** A revision and what it changed. */
export function useRevision({ id, knowledgeId }: ItemKey, number: number) {
  return useInfiniteQuery({
    queryKey: ['knowledge', id, knowledgeId, 'revision', number],
    queryFn: ({ pageParam, signal }) =>
      laterApi.revision.get({ id, knowledgeId, number, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    meta: { failure: 'getKnowledge', quiet: true },
  });
}

/** Decides about a revision; everything of the item is read again after it. */
export function useDecision(
  { id, knowledgeId }: ItemKey,
  act: 'apply' | 'discard' | 'restore',
  onSuccess: () => void,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (number: number) => laterApi.revision[act]({ id, knowledgeId, number }),
    onSuccess,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['knowledge', id] }),
    meta: { failure: 'updateKnowledge' },
  });
}
