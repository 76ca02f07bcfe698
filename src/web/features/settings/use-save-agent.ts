import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { chatbot } from '../../../contract/chatbot.ts';
import type { InputOf } from '../../../contract/route.ts';
import { api } from '../../api.ts';
import { t } from '../../messages/t.ts';
import { announceFailure } from '../../query-client.ts';
import { agentQuery } from '../../queries.ts';
import { useAgentId, useOrgId } from '../../route-params.ts';
import { toast } from '../../toast.ts';

type Changes = Omit<InputOf<typeof chatbot.update>, 'id' | 'organizationId'>;

/** Saves changes of the agent at hand. `onRefused` may take the failure; when it does not, a toast shows it. */
export function useSaveAgent(onRefused: (error: unknown) => boolean = () => false) {
  const organizationId = useOrgId();
  const id = useAgentId();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (changes: Changes) =>
      (await api.chatbot.update({ id, organizationId, ...changes })).chatbot,
    onSuccess: async (chatbot) => {
      toast.success({ title: t('ui.saved') });
      queryClient.setQueryData(agentQuery(organizationId, id).queryKey, chatbot);
      await queryClient.invalidateQueries({ queryKey: ['agents', organizationId], exact: true });
    },
    onError: (error) => onRefused(error) || announceFailure(error),
    meta: { failure: 'updateChatbot', quiet: true },
  });
}
