import {
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import type { earningPeriods, product as contract } from '../../../contract/product.ts';
import type { InputOf } from '../../../contract/route.ts';
import { api } from '../../api/api.ts';
import { laterApi } from '../../api/later-api.ts';
import { announceFailure } from '../../queries/query-client.ts';
import { productQuery } from '../../queries/agent-queries.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';

export type Period = (typeof earningPeriods)[number];

const keyOf = (agentId: string) => ['products', agentId];

export const productsQuery = (agentId: string) =>
  queryOptions({
    queryKey: keyOf(agentId),
    queryFn: async ({ signal }) => (await laterApi.product.list({ agentId }, { signal })).products,
    meta: { failure: 'getProducts', quiet: true },
  });

/** Whether real money moves. */
export const testModeQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['test-mode', agentId],
    queryFn: async ({ signal }) => (await api.purchase.offers({ chatbotId: agentId }, { signal })).isTestMode,
    meta: { failure: 'getProducts', quiet: true },
  });

/** For owners. */
export const accountQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['connect-account', organizationId],
    queryFn: async ({ signal }) => (await laterApi.connect.get({ organizationId }, { signal })).account,
    meta: { failure: 'getConnectAccount', quiet: true },
  });

/** Redirects to the provider. */
export function useConnect() {
  const organizationId = useOrgId();
  return useMutation({
    mutationFn: () => laterApi.connect.link({ organizationId, returnTo: location.pathname }),
    onSuccess: ({ url }) => location.assign(url),
    meta: { failure: 'getConnectAccount' },
  });
}

interface Doing<Output> {
  onDone?: (output: Output) => unknown;
  /** Handles a failure that a field can show. Otherwise a toast does. */
  onRefused?: (error: unknown) => boolean;
}

function useChange<Input, Output>(
  mutationFn: (input: Input, place: { organizationId: string; agentId: string }) => Promise<Output>,
  { onDone, onRefused }: Doing<Output>,
) {
  const place = { organizationId: useOrgId(), agentId: useAgentId() };
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => mutationFn(input, place),
    onSuccess: (output) => onDone?.(output),
    onError: (error) => onRefused?.(error) || announceFailure(error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(place.agentId) }),
    meta: { failure: 'updateProduct', quiet: true },
  });
}

type One = Awaited<ReturnType<typeof laterApi.product.get>>;

export const useCreateProduct = (doing: Doing<One>) =>
  useChange((_: void, place) => laterApi.product.create(place), doing);

export function useUpdateProduct(id: string, doing: Doing<One>) {
  const agentId = useAgentId();
  const queryClient = useQueryClient();
  return useChange(async (changes: Omit<InputOf<typeof contract.update>, 'id'>) => {
    const saved = await laterApi.product.update({ id, ...changes });
    queryClient.setQueryData(productQuery(agentId, id).queryKey, saved.product);
    return saved;
  }, doing);
}

export const useRemoveProduct = (onDone: () => unknown) =>
  useChange((id: string) => laterApi.product.remove({ id }), { onDone });

const LOOK_EVERY_MS = 2000;

/**
 * Includes the buyers, newest first. `refunding`: a purchase being refunded, which completes when the provider reports
 * it; it is polled until then.
 */
export function useEarnings(agentId: string, period: Period, search: string, refunding?: string) {
  const queryClient = useQueryClient();
  const stateOf = (pages: readonly { purchases: readonly { id: string; state: string }[] }[] = []) =>
    pages.flatMap(({ purchases }) => purchases).find(({ id }) => id === refunding)?.state;
  const earnings = useInfiniteQuery({
    queryKey: ['earnings', agentId, period, search],
    queryFn: ({ pageParam, signal }) =>
      laterApi.earning.get(
        { agentId, period, ...(search && { search }), ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    // Earnings stay visible during a search.
    placeholderData: keepPreviousData,
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state }) => stateOf(state.data?.pages) === 'paid' && LOOK_EVERY_MS,
    meta: { failure: 'getEarnings', quiet: true },
  });
  const state = stateOf(earnings.data?.pages);
  // A refunded buyer no longer has the plan, which the list of plans reflects from then on.
  useEffect(() => {
    if (state && state !== 'paid') void queryClient.invalidateQueries({ queryKey: keyOf(agentId) });
  }, [queryClient, agentId, state]);
  return earnings;
}

export function useRefund(agentId: string, onDone: (id: string) => unknown) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.purchase.refund({ id }),
    onSuccess: ({ purchase }) => onDone(purchase.id),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['earnings', agentId] }),
        queryClient.invalidateQueries({ queryKey: keyOf(agentId) }),
      ]),
    meta: { failure: 'refundPurchase' },
  });
}
