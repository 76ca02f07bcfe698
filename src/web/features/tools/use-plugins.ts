import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { PluginType } from '../../../contract/plugin-types.ts';
import { api } from '../../api.ts';
import { useAgentId } from '../../route-params.ts';

const keyOf = (agentId: string) => ['plugins', agentId];

export const pluginsQuery = (agentId: string) =>
  queryOptions({
    queryKey: keyOf(agentId),
    queryFn: async ({ signal }) => (await api.plugin.list({ chatbotId: agentId }, { signal })).plugins,
    meta: { failure: 'getPlugins', quiet: true },
  });

/** Does something to the plugins of an agent, which are read again after it. */
function usePluginMutation<Input, Output>(
  mutationFn: (input: Input, agentId: string) => Promise<Output>,
  onSuccess: (output: Output) => unknown = () => undefined,
) {
  const agentId = useAgentId();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => mutationFn(input, agentId),
    onSuccess,
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(agentId) }),
    meta: { failure: 'updatePlugin' },
  });
}

export function useAddPlugin(onAdded: () => unknown) {
  return usePluginMutation(
    (type: PluginType, chatbotId) => api.plugin.create({ chatbotId, type, settingsData: {} }),
    onAdded,
  );
}

export function useSetPluginStatus() {
  return usePluginMutation(({ id, isActive }: { id: string; isActive: boolean }) =>
    api.plugin.update({ id, status: isActive ? 'active' : 'paused' }),
  );
}

/** Leads on to where the account is. */
export function useConnectPlugin() {
  return usePluginMutation(
    (id: string) => api.plugin.connect({ id }),
    ({ url }) => location.assign(url),
  );
}

export function useRemovePlugin(onRemoved: () => unknown) {
  return usePluginMutation((id: string) => api.plugin.remove({ id }), onRemoved);
}
