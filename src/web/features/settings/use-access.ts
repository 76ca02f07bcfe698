import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AgentAccess } from '../../../contract/visitor.ts';
import { api } from '../../api/api.ts';

const accessQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['agent-access', agentId],
    queryFn: async ({ signal }) => (await api.visitor.getAccess({ id: agentId }, { signal })).access,
    meta: { failure: 'getChatbot' },
  });

export const useAccess = (agentId: string) => useQuery(accessQuery(agentId));

interface Changed {
  access: AgentAccess;
}

interface AccessChange<R extends Changed> {
  change: () => Promise<R>;
  onChanged: (result: R) => void;
}

/** Changes how programs and sites get in; secrets in the response are not cached with the finished call. */
export function useAccessChange<R extends Changed>(agentId: string, { change, onChanged }: AccessChange<R>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (result) => {
      queryClient.setQueryData(accessQuery(agentId).queryKey, result.access);
      onChanged(result);
    },
    gcTime: 0,
    meta: { failure: 'updateChatbot' },
  });
}
