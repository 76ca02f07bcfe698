import { useEffect, useRef } from 'react';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { knowledge } from '../../../contract/knowledge.ts';
import type { InputOf } from '../../../contract/route.ts';
import { laterApi } from '../../api/later-api.ts';
import { t } from '../../messages/t.ts';
import { allKnowledgeQuery } from '../../queries/agent-queries.ts';
import { announceFailure } from '../../queries/query-client.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { toast } from '../../toast.ts';

type NewItem = Omit<InputOf<typeof knowledge.create>, 'id' | 'organizationId'>;

/**
 * Adds an item, then returns to the list or runs `onAdded`; a person who has gone elsewhere meanwhile stays there.
 * `onRefused` may handle the failure; otherwise a toast shows it.
 */
export function useAddKnowledge(onRefused: (error: unknown) => boolean) {
  const orgId = useOrgId();
  const agentId = useAgentId();
  const backToList = useBackToList();
  const queryClient = useQueryClient();
  const isShown = useIsShown();
  return useMutation({
    mutationFn: ({ item }: { item: NewItem; onAdded?: () => void }) =>
      laterApi.knowledge.create({ id: agentId, organizationId: orgId, ...item }),
    onSuccess: async (_answer, { onAdded }) => {
      toast.success({ title: t('knowledge.added') });
      await readListAgain(queryClient, agentId);
      if (onAdded) onAdded();
      else if (isShown.current) await backToList();
    },
    onError: (error) => onRefused(error) || announceFailure(error),
    meta: { failure: 'createKnowledge', quiet: true },
  });
}

/** Even while no page shows it: the next one that does has the new item, and doesn't say for a moment that there is nothing. */
export function readListAgain(queryClient: QueryClient, agentId: string): Promise<void> {
  const { queryKey } = allKnowledgeQuery(agentId);
  return queryClient.invalidateQueries({ queryKey, exact: true, refetchType: 'all' });
}

/** Whether the component using it is still on the page. */
function useIsShown(): { readonly current: boolean } {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}

export function useBackToList(): () => Promise<void> {
  const orgId = useOrgId();
  const agentId = useAgentId();
  const navigate = useNavigate();
  return () => navigate({ to: '/platform/{-$orgId}/agent/$agentId/knowledge', params: { orgId, agentId } });
}
