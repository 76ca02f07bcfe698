import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { laterApi } from '../../api/later-api.ts';
import type { ItemKey } from './use-sources.ts';

/** An item's revisions, newest first. */
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

/** A revision and its changes. */
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

/** Decides about a revision; reloads everything about the item afterwards. */
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
