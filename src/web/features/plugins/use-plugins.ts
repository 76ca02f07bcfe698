import { queryOptions, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PluginType } from '../../../contract/plugin-names.ts';
import type { Plugin } from '../../../contract/plugin.ts';
import type { InputOf } from '../../../contract/route.ts';
import type { plugin as contract } from '../../../contract/plugin.ts';
import { laterApi } from '../../api/later-api.ts';
import { useSaveOver } from '../../forms/save-over.ts';
import { pluginsQuery } from '../../queries/agent-queries.ts';
import { announceFailure } from '../../queries/query-client.ts';
import { useAgentId } from '../../routing/route-params.ts';

const keyOf = (agentId: string) => pluginsQuery(agentId).queryKey;

export const pluginQuery = (agentId: string, id: string) =>
  queryOptions({
    queryKey: [...keyOf(agentId), id],
    queryFn: async ({ signal }) => (await laterApi.plugin.get({ id }, { signal })).plugin,
    meta: { failure: 'getPlugins', quiet: true },
  });

/** What can be installed here. */
export const catalogQuery = () =>
  queryOptions({
    queryKey: ['plugin-catalog'],
    queryFn: async ({ signal }) => (await laterApi.plugin.catalog({}, { signal })).plugins,
    meta: { failure: 'getPlugins', quiet: true },
  });

/** Whether the operator has configured what a plugin needs; assumed until known. */
export function useIsAvailable(type: PluginType): boolean {
  const { data } = useQuery(catalogQuery());
  return data?.find((offer) => offer.type === type)?.isAvailable ?? true;
}

interface Doing<Output> {
  onDone?: (output: Output) => unknown;
  /** Handles a failure that a field can show. Otherwise a toast does. */
  onRefused?: (error: unknown) => boolean;
}

/** Performs an action on an agent's plugins, and reloads them. */
function usePluginMutation<Input, Output>(
  mutationFn: (input: Input, agentId: string) => Promise<Output>,
  { onDone, onRefused }: Doing<Output> = {},
) {
  const agentId = useAgentId();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => mutationFn(input, agentId),
    onSuccess: async (output) => {
      await onDone?.(output);
    },
    onError: (error) => onRefused?.(error) || announceFailure(error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(agentId) }),
    // A secret is not cached with the finished call.
    gcTime: 0,
    meta: { failure: 'updatePlugin', quiet: true },
  });
}

type NewPlugin = Omit<InputOf<typeof contract.create>, 'chatbotId'>;
type PluginChanges = Omit<InputOf<typeof contract.update>, 'id' | 'seen'>;
type One = { plugin: Plugin };

export function useInstallPlugin(doing: Doing<One>) {
  return usePluginMutation(
    (plugin: NewPlugin, chatbotId) => laterApi.plugin.create({ chatbotId, ...plugin }),
    doing,
  );
}

/** `seen`: the stored settings when their changes were begun. */
export function useUpdatePlugin(id: string, doing?: Doing<One>, seen: () => PluginChanges = () => ({})) {
  const saveOver = useSaveOver(seen, {
    send: (changes: PluginChanges) => laterApi.plugin.update({ id, ...changes }),
    storedOf: ({ plugin }) => plugin,
  });
  return usePluginMutation(saveOver, doing);
}

export function useCheckPlugin(id: string, onDone: (checked: One) => unknown) {
  return usePluginMutation(() => laterApi.plugin.check({ id }), { onDone });
}

/** Redirects to the service that has the account. */
export function useConnectPlugin() {
  return usePluginMutation((id: string) => laterApi.plugin.connect({ id }), {
    onDone: ({ url }) => location.assign(url),
  });
}

export function useRemovePlugin(onDone: () => unknown) {
  return usePluginMutation((id: string) => laterApi.plugin.remove({ id }), { onDone });
}

/** Newest first. People write at any time. */
export function useMessages({ id, chatbotId }: Plugin) {
  return useInfiniteQuery({
    queryKey: [...keyOf(chatbotId), id, 'messages'],
    queryFn: ({ pageParam, signal }) =>
      laterApi.plugin.listMessages({ id, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: 5000,
    meta: { failure: 'getPlugins', quiet: true },
  });
}

/** The same for a webhook. */
export function useDeliveries({ id, chatbotId }: Plugin) {
  return useInfiniteQuery({
    queryKey: [...keyOf(chatbotId), id, 'deliveries'],
    queryFn: ({ pageParam, signal }) =>
      laterApi.webhook.listDeliveries({ id, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: 5000,
    meta: { failure: 'getPlugins', quiet: true },
  });
}

export function useReplay(id: string, onDone: () => unknown) {
  return usePluginMutation((deliveryId: string) => laterApi.webhook.replay({ id, deliveryId }), { onDone });
}

export function useSigningSecret(id: string, onDone: (made: { secret: string }) => unknown) {
  return usePluginMutation((rotate: boolean) => laterApi.webhook.secret({ id, rotate }), { onDone });
}
