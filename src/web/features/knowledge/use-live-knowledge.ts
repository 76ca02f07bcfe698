import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ListedKnowledge, KnowledgeProgress, KnowledgeState } from '../../../contract/knowledge.ts';
import { allKnowledgeQuery, type AllKnowledge } from '../../queries/agent-queries.ts';
import { listen, socketConnected } from '../../socket.ts';
import { useStore } from '../../store.ts';

/** How often to poll progress while the socket is disconnected. */
const POLL_MS = 3000;

/** When many items finish one after another, the list is reloaded once per this interval. */
const READ_AFTER_MS = 1000;

export function isUnderWay(state: KnowledgeState): boolean {
  return state !== 'ready' && state !== 'failed';
}

/** An agent's knowledge with live progress: pushed by the socket, polled while it is disconnected. */
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
      // Events arrive for every agent the person can see.
      ({ knowledgeProgress }) =>
        knowledgeProgress.agentId === agentId &&
        takeProgress(queryClient, knowledgeProgress) &&
        refetchSoon(),
      // What was missed while disconnected is loaded instead.
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
 * Merges progress. True if a reload is needed: an item has just finished or is unknown, or a load is in progress that
 * may be older than this and would overwrite it for good.
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
