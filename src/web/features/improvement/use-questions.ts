import { queryOptions, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ClusterState } from '../../../contract/improvement.ts';
import { laterApi } from '../../api/later-api.ts';

/** Questions come at any time: a view that stays open is refreshed. */
const LOOK_AGAIN_MS = 15_000;

const keyOf = (agentId: string) => ['questions', agentId];

export function useClusters(agentId: string, state: ClusterState, search: string) {
  return useInfiniteQuery({
    queryKey: [...keyOf(agentId), 'clusters', state, search],
    queryFn: ({ pageParam, signal }) =>
      laterApi.improvement.listClusters(
        { id: agentId, state, ...(search && { search }), ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
    refetchInterval: LOOK_AGAIN_MS,
    meta: { failure: 'getQuestions', quiet: true },
  });
}

/** The first few, for other pages. */
export const topClustersQuery = (agentId: string, count: number) =>
  queryOptions({
    queryKey: [...keyOf(agentId), 'clusters', 'top', count],
    queryFn: async ({ signal }) =>
      (await laterApi.improvement.listClusters({ id: agentId, count }, { signal })).clusters,
    staleTime: 0,
    meta: { failure: 'getQuestions', quiet: true },
  });

export function useCluster(agentId: string, clusterId: string) {
  return useQuery({
    queryKey: [...keyOf(agentId), 'cluster', clusterId],
    queryFn: ({ signal }) => laterApi.improvement.getCluster({ id: agentId, clusterId }, { signal }),
    staleTime: 0,
    meta: { failure: 'getQuestions', quiet: true },
  });
}

export const topicsQuery = (agentId: string, days: number) =>
  queryOptions({
    queryKey: [...keyOf(agentId), 'topics', days],
    queryFn: ({ signal }) => laterApi.improvement.listTopics({ id: agentId, days }, { signal }),
    staleTime: 0,
    meta: { failure: 'getQuestions', quiet: true },
  });

/** Performs an action on an agent's questions, and reloads them. */
export function useChange<Input, Output>(
  agentId: string,
  act: (input: Input) => Promise<Output>,
  onSuccess: (output: Output) => unknown = () => undefined,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess,
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(agentId) }),
    meta: { failure: 'updateQuestions' },
  });
}
