import { hashKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { chatbot } from '../../../contract/chatbot.ts';
import { ApiError } from '../../../contract/client.ts';
import type { InputOf } from '../../../contract/route.ts';
import { api } from '../../api/api.ts';
import { t } from '../../messages/t.ts';
import { standing } from '../../forms/form.ts';
import { announceFailure } from '../../queries/query-client.ts';
import { agentQuery } from '../../queries/queries.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { toast } from '../../toast.ts';

type Changes = Omit<InputOf<typeof chatbot.update>, 'id' | 'organizationId' | 'seen'>;
type Values = Record<string, unknown>;

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
  const since = useRef<Since>({});
  const { queryKey } = agentQuery(organizationId, id);
  return useMutation({
    mutationFn: async (changes: Changes) => {
      const begun: Values = pick(seen(), Object.keys(changes));
      const learn = (now: Values) => void Object.assign(since.current, learnt(begun, now));
      const input = { id, organizationId, ...changes, seen: newest(begun, since.current) };
      const { chatbot } = await api.chatbot.update(input).catch((error: unknown) => {
        const now = standing(error);
        if (!now) throw error;
        learn(now);
        queryClient.setQueryData(queryKey, (agent) => agent && { ...agent, ...now });
        throw changedMeanwhile();
      });
      learn(chatbot);
      return chatbot;
    },
    onSuccess: async (chatbot) => {
      toast.success({ title: t('ui.saved') });
      queryClient.setQueryData(queryKey, chatbot);
      await queryClient.invalidateQueries({ queryKey: ['agents', organizationId], exact: true });
    },
    onError: (error) => onRefused(error) || announceFailure(error),
    meta: { failure: 'updateChatbot', quiet: true },
  });
}

const pick = (values: Values, fields: readonly string[]): Values =>
  Object.fromEntries(Object.entries(values).filter(([field]) => fields.includes(field)));

/** For fields whose changes were begun at `begun`: what was saved there since, or what a refusal reported. */
type Since = Record<string, { begun: unknown; now: unknown }>;

const learnt = (begun: Values, now: Values): Since =>
  Object.fromEntries(
    Object.keys(pick(now, Object.keys(begun))).map((field) => [
      field,
      { begun: begun[field], now: now[field] },
    ]),
  );

/** The known current values of fields. A change begun later starts from the value at that time. */
const newest = (begun: Values, since: Since): Values =>
  Object.fromEntries(
    Object.entries(begun).map(([field, value]) => {
      const known = since[field];
      return [field, known && hashKey([known.begun]) === hashKey([value]) ? known.now : value];
    }),
  );

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
