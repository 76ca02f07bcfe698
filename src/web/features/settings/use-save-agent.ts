import { hashKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { chatbot } from '../../../contract/chatbot.ts';
import { ApiError } from '../../../contract/client.ts';
import type { InputOf } from '../../../contract/route.ts';
import { api } from '../../api.ts';
import { t } from '../../messages/t.ts';
import { announceFailure } from '../../query-client.ts';
import { agentQuery } from '../../queries.ts';
import { useAgentId, useOrgId } from '../../route-params.ts';
import { toast } from '../../toast.ts';

type Changes = Omit<InputOf<typeof chatbot.update>, 'id' | 'organizationId'>;

interface Saving {
  /** What was stored in fields when their changes were begun. Others are saved whatever stands there by now. */
  seen?: () => Changes;
  /** May take a failure; when it does not, a toast shows it. */
  onRefused?: (error: unknown) => boolean;
}

/**
 * Saves changes of the agent at hand. What somebody else has saved in the same field meanwhile is not replaced unawares: the first
 * save says so instead, and the next one is meant.
 */
export function useSaveAgent({ seen = () => ({}), onRefused = () => false }: Saving = {}) {
  const organizationId = useOrgId();
  const id = useAgentId();
  const queryClient = useQueryClient();
  const told = useRef<Changes>({});
  const { queryKey } = agentQuery(organizationId, id);
  const requireAware = async (changes: Changes, begun: Changes) => {
    const now = (await api.chatbot.get({ id, organizationId })).chatbot;
    const known = [begun, told.current, changes];
    if (!fieldsOf(changes).some((field) => field in begun && isNews(now, known, field))) return;
    told.current = now;
    queryClient.setQueryData(queryKey, now);
    throw changedMeanwhile();
  };
  return useMutation({
    mutationFn: async (changes: Changes) => {
      const begun = seen();
      if (fieldsOf(begun).length > 0) await requireAware(changes, begun);
      return (await api.chatbot.update({ id, organizationId, ...changes })).chatbot;
    },
    onSuccess: async (chatbot) => {
      told.current = chatbot;
      toast.success({ title: t('ui.saved') });
      queryClient.setQueryData(queryKey, chatbot);
      await queryClient.invalidateQueries({ queryKey: ['agents', organizationId], exact: true });
    },
    onError: (error) => onRefused(error) || announceFailure(error),
    meta: { failure: 'updateChatbot', quiet: true },
  });
}

const fieldsOf = (changes: Changes) => Object.keys(changes) as (keyof Changes)[];

/** Nobody here knows what stands in the field: whatever the order in which an object has its fields. */
const isNews = (now: Changes, known: readonly Changes[], field: keyof Changes): boolean =>
  known.every((values) => !(field in values) || hashKey([values[field]]) !== hashKey([now[field]]));

function changedMeanwhile(): ApiError {
  const detail = t('settings.changedMeanwhile');
  return new ApiError({
    type: 'about:blank',
    title: detail,
    status: 409,
    detail,
    code: 'resource/conflict',
    requestId: '',
  });
}
