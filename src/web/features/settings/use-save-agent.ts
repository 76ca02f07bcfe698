import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { chatbot } from '../../../contract/chatbot.ts';
import type { InputOf } from '../../../contract/route.ts';
import { api } from '../../api/api.ts';
import { useSaveOver } from '../../forms/save-over.ts';
import { t } from '../../messages/t.ts';
import { announceFailure } from '../../queries/query-client.ts';
import { agentQuery } from '../../queries/queries.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { toast } from '../../toast.ts';

type Changes = Omit<InputOf<typeof chatbot.update>, 'id' | 'organizationId' | 'seen'>;

interface Saving {
  /** The stored values of fields when their changes were begun. Other fields are saved whatever they contain by now. */
  seen?: () => Changes;
  /** May handle a failure; otherwise a toast shows it. */
  onRefused?: (error: unknown) => boolean;
}

/**
 * Saves changes to the current agent. A concurrent change by somebody else to the same field is not overwritten
 * unknowingly: the first save reports it instead, and the next one is deliberate.
 */
export function useSaveAgent({ seen = () => ({}), onRefused = () => false }: Saving = {}) {
  const organizationId = useOrgId();
  const id = useAgentId();
  const queryClient = useQueryClient();
  const { queryKey } = agentQuery(organizationId, id);
  const saveOver = useSaveOver(seen, {
    send: async (changes: Changes) => (await api.chatbot.update({ id, organizationId, ...changes })).chatbot,
    storedOf: (chatbot) => chatbot,
    onChanged: (now) => queryClient.setQueryData(queryKey, (agent) => agent && { ...agent, ...now }),
  });
  return useMutation({
    mutationFn: saveOver,
    onSuccess: async (chatbot) => {
      toast.success({ title: t('ui.saved') });
      queryClient.setQueryData(queryKey, chatbot);
      await queryClient.invalidateQueries({ queryKey: ['agents', organizationId], exact: true });
    },
    onError: (error) => onRefused(error) || announceFailure(error),
    meta: { failure: 'updateChatbot', quiet: true },
  });
}
