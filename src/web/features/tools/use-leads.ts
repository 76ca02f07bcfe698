import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { laterApi } from '../../api/later-api.ts';
import { download } from '../../download.ts';
import { t } from '../../messages/t.ts';
import { toast } from '../../toast.ts';

const keyOf = (agentId: string) => ['leads', agentId];

/** Newest first. */
export function useLeads(agentId: string, search: string) {
  return useInfiniteQuery({
    queryKey: [...keyOf(agentId), search],
    queryFn: ({ pageParam, signal }) =>
      laterApi.lead.list(
        { id: agentId, ...(search && { search }), ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // They arrive at any time.
    staleTime: 0,
    meta: { failure: 'getLeads', quiet: true },
  });
}

export function useExportLeads(agentId: string) {
  return useMutation({
    mutationFn: async () => (await laterApi.lead.export({ id: agentId })).csv,
    onSuccess: (csv) => download({ name: 'leads.csv', type: 'text/csv', content: csv }),
    meta: { failure: 'getLeads' },
  });
}

export function useRemoveLead(agentId: string, onRemoved: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (leadId: string) => laterApi.lead.remove({ id: agentId, leadId }),
    onSuccess: async () => {
      onRemoved();
      await queries.invalidateQueries({ queryKey: keyOf(agentId) });
      toast.success({ title: t('tools.leadRemoved') });
    },
    meta: { failure: 'deleteLead' },
  });
}
