import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { InboxConversation } from '../../../contract/inbox.ts';
import { api, backgroundApi } from '../../api/api.ts';
import { isNotFound } from '../../queries/query-props.ts';
import { listen } from '../../socket.ts';

export type View = 'open' | 'waiting' | 'mine' | 'closed';

/** How often to poll, for clients that missed socket events. */
const LOOK_MS = 20_000;

export function useInbox(organizationId: string, view: View, search: string) {
  return useInfiniteQuery({
    queryKey: ['inbox', organizationId, view, search],
    queryFn: ({ pageParam, signal }) =>
      backgroundApi.inbox.list(
        { organizationId, view, ...(search && { search }), ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: LOOK_MS,
    meta: { failure: 'getInbox', quiet: true },
  });
}

/** Messages newest first, page by page. */
export function useInboxConversation(id: string) {
  return useInfiniteQuery({
    queryKey: ['inbox-conversation', id],
    queryFn: ({ pageParam, signal }) =>
      backgroundApi.inbox.get({ id, count: 50, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: LOOK_MS,
    meta: { failure: 'getConversation', quiet: true },
  });
}

/** Reloads what has changed. */
export function useInboxNews(organizationId: string): void {
  const queries = useQueryClient();
  useEffect(() => {
    const all = () => void queries.invalidateQueries({ queryKey: ['inbox', organizationId] });
    return listen(
      'inbox.updated',
      (event) => {
        if (event.organizationId !== organizationId) return;
        all();
        void queries.invalidateQueries({ queryKey: ['inbox-conversation', event.conversationId] });
      },
      all,
    );
  }, [organizationId, queries]);
}

/** Taking over, handing back, closing, writing and notes; reloads what they change. */
export function useInboxActs(organizationId: string, id: string) {
  const queries = useQueryClient();
  const onSuccess = async () => {
    await queries.invalidateQueries({ queryKey: ['inbox-conversation', id] });
    await queries.invalidateQueries({ queryKey: ['inbox', organizationId] });
  };
  // It may be gone: the page itself finds out.
  const onError = (error: Error) => void (isNotFound(error) && onSuccess());
  const meta = { failure: 'updateConversation' as const };
  const move = useMutation({
    mutationFn: (act: 'take' | 'release' | 'close'): Promise<{ conversation: InboxConversation }> =>
      api.inbox[act]({ id }),
    onSuccess,
    onError,
    meta,
  });
  const assign = useMutation({
    mutationFn: (userId: string) => api.inbox.assign({ id, userId }),
    onSuccess,
    onError,
    meta,
  });
  const write = useMutation({
    mutationFn: (text: string): Promise<unknown> => api.inbox.write({ id, text }),
    onSuccess,
    onError,
    meta,
  });
  const note = useMutation({
    mutationFn: (text: string): Promise<unknown> => api.inbox.note({ id, text }),
    onSuccess,
    onError,
    meta,
  });
  return { move, assign, write, note };
}

export function useCanned(organizationId: string) {
  return useQuery({
    queryKey: ['canned', organizationId],
    queryFn: async ({ signal }) => (await api.inbox.listCanned({ organizationId }, { signal })).answers,
    meta: { failure: 'getInbox', quiet: true },
  });
}
