import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { laterApi } from '../../api/later-api.ts';

/** Last seen first. They may come at any time, so cached data is never considered fresh. */
export function useEndUsers(agentId: string, search: string) {
  return useInfiniteQuery({
    queryKey: ['end-users', agentId, search],
    queryFn: ({ pageParam, signal }) =>
      laterApi.endUser.list(
        { id: agentId, ...(search && { search }), ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
    meta: { failure: 'getEndUsers', quiet: true },
  });
}

export function useEndUser(agentId: string, userId: string) {
  return useQuery({
    queryKey: ['end-user', agentId, userId],
    queryFn: async ({ signal }) => (await laterApi.endUser.get({ id: agentId, userId }, { signal })).user,
    staleTime: 0,
    meta: { failure: 'getEndUsers', quiet: true },
  });
}

export function useConversationsOf(agentId: string, userId: string) {
  return useInfiniteQuery({
    queryKey: ['end-user', agentId, userId, 'conversations'],
    queryFn: ({ pageParam, signal }) =>
      laterApi.endUser.listConversations(
        { id: agentId, userId, ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
    meta: { failure: 'getConversations', quiet: true },
  });
}
