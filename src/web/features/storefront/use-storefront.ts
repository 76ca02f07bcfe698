import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Storefront, StorefrontConfig } from '../../../contract/storefront.ts';
import { api, backgroundApi } from '../../api/api.ts';
import { announceFailure } from '../../queries/query-client.ts';
import { useAgentId } from '../../routing/route-params.ts';

/** Null: the agent has none yet. */
export const storefrontQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['storefront', agentId],
    queryFn: async ({ signal }) => (await api.storefront.find({ agentId }, { signal })).storefront,
    meta: { failure: 'getStorefront', quiet: true },
  });

/** The page rendered from a configuration, saved or not. */
export const previewQuery = (id: string, config: StorefrontConfig) =>
  queryOptions({
    queryKey: ['storefront-preview', id, config],
    queryFn: async ({ signal }) => (await backgroundApi.storefront.preview({ id, config }, { signal })).html,
    // Plans and looks, which it also shows, are changed elsewhere.
    staleTime: 0,
    gcTime: 0,
    meta: { failure: 'getStorefront', quiet: true },
  });

/** The plans that are for sale and can be shown. */
export const offersQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['storefront', agentId, 'offers'],
    queryFn: async ({ signal }) => (await api.purchase.offers({ chatbotId: agentId }, { signal })).offers,
    meta: { failure: 'getStorefront', quiet: true },
  });

interface Doing {
  onDone?: (storefront: Storefront) => unknown;
  /** Handles a failure that a field can show. Otherwise a toast does. */
  onRefused?: (error: unknown) => boolean;
}

function useChange<Input>(
  change: (input: Input, agentId: string) => Promise<{ storefront: Storefront }>,
  { onDone, onRefused }: Doing = {},
) {
  const agentId = useAgentId();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => (await change(input, agentId)).storefront,
    onSuccess: (storefront) => {
      queryClient.setQueryData(storefrontQuery(agentId).queryKey, storefront);
      return onDone?.(storefront);
    },
    onError: (error) => onRefused?.(error) || announceFailure(error),
    meta: { failure: 'updateStorefront', quiet: true },
  });
}

export const useCreate = (doing: Doing) =>
  useChange((_: void, agentId) => api.storefront.create({ agentId }), doing);

export const useSave = (id: string, doing: Doing) =>
  useChange(
    ({ config, revision }: { config: StorefrontConfig; revision: number }) =>
      api.storefront.update({ id, config, revision }),
    doing,
  );

export const usePublish = (doing: Doing) =>
  useChange(({ id, revision }: Storefront) => api.storefront.publish({ id, revision }), doing);

export const useUnpublish = (doing: Doing) =>
  useChange(({ id }: Storefront) => api.storefront.unpublish({ id }), doing);
