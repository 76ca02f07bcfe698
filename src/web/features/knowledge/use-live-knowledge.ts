import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ListedKnowledge, KnowledgeProgress, KnowledgeState } from '../../../contract/knowledge.ts';
import { allKnowledgeQuery, type AllKnowledge } from '../../queries/agent-queries.ts';
import { listen, socketConnected } from '../../socket.ts';
import { useStore } from '../../store.ts';

/** How often progress is asked for while the socket cannot tell it. */
const POLL_MS = 3000;

/** Of many items that come to their end one after the other the list is read again once in this time. */
const READ_AFTER_MS = 1000;

export function isUnderWay(state: KnowledgeState): boolean {
  return state !== 'ready' && state !== 'failed';
}

/** An agent's knowledge with its progress as it happens: told by the socket, asked for while there is none. */
export function useLiveKnowledge(agentId: string) {
  const queryClient = useQueryClient();
  const connected = useStore(socketConnected);
  useEffect(() => {
    const refetch = () => void queryClient.invalidateQueries({ queryKey: ['knowledge', agentId] });
    let soon: ReturnType<typeof setTimeout> | undefined;
    const refetchSoon = (): void => {
      soon ??= setTimeout(() => {
        soon = undefined;
        refetch();
      }, READ_AFTER_MS);
    };
    const stop = listen(
      'knowledge.progress.update.result',
      // Of every agent that one sees.
      ({ knowledgeProgress }) =>
        knowledgeProgress.agentId === agentId &&
        takeProgress(queryClient, knowledgeProgress) &&
        refetchSoon(),
      // Whatever was told while there was no connection is read instead.
      (socket) => socket.emit('agent.watch', agentId, refetch),
    );
    return () => {
      clearTimeout(soon);
      if (soon !== undefined) refetch();
      stop();
    };
  }, [agentId, queryClient]);
  return useQuery({
    ...allKnowledgeQuery(agentId),
    refetchInterval: ({ state }) =>
      !connected && state.data?.items.some((item) => isUnderWay(item.progress.state)) ? POLL_MS : false,
  });
}

/**
 * Puts progress in its place. True when there is more to read: an item has just come to its end or is not known yet, or something is
 * being read that may be older than this, and would take its place for good.
 */
function takeProgress(queryClient: QueryClient, { agentId, items }: KnowledgeProgress): boolean {
  const { queryKey } = allKnowledgeQuery(agentId);
  const known = queryClient.getQueryData(queryKey)?.items ?? [];
  const isNews = items.some(({ knowledgeId, state }) => {
    const old = known.find(({ id }) => id === knowledgeId);
    return !old || (old.progress.state !== state && !isUnderWay(state));
  });
  queryClient.setQueryData(
    queryKey,
    (old: AllKnowledge | undefined) =>
      old && { ...old, items: old.items.map((item) => withProgress(item, items)) },
  );
  return isNews || queryClient.isFetching({ queryKey: ['knowledge', agentId] }) > 0;
}

function withProgress(item: ListedKnowledge, progress: KnowledgeProgress['items']): ListedKnowledge {
  const news = progress.find(({ knowledgeId }) => knowledgeId === item.id);
  return news ? { ...item, progress: news } : item;
}
