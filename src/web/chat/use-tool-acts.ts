import type { LeadValues } from '../../contract/lead.ts';
import { useParts } from './conversation-context.ts';
import type { ServiceAnswer } from './handing-over.ts';
import type { ShownMessage } from './types.ts';

/** A person's actions on a call that waits for them. */
export function useToolActs() {
  const { transport, chat } = useParts();
  const { again } = chat;
  const decide = async ({ id }: ShownMessage, callId: string, decision: 'allow' | 'deny') => {
    if (id !== null) await again({ type: 'decideToolCall', messageId: id, callId, decision }, undefined);
  };

  /** The address where the person agrees; undefined if there is nothing to agree to, or it was refused. */
  const connect = async (message: ShownMessage, callId: string): Promise<string | undefined> => {
    try {
      const url = message.id === null ? undefined : await transport.connect?.(message.id, callId);
      // An account is already connected, from another conversation.
      if (url === null) await decide(message, callId, 'allow');
      return url ?? undefined;
    } catch (error) {
      chat.failed(error);
      return undefined;
    }
  };

  const connected = async ({ id }: ShownMessage, callId: string, answer: ServiceAnswer) => {
    if (id !== null) await again({ type: 'accountConnected', messageId: id, callId, ...answer }, undefined);
  };

  const submitForm = async (
    { id }: ShownMessage,
    {
      callId,
      values,
      onRefused,
    }: { callId: string; values: LeadValues; onRefused: (error: unknown) => boolean },
  ) => {
    if (id === null) return;
    await again({ type: 'submitForm', messageId: id, callId, values }, undefined, undefined, onRefused);
  };

  return { submitForm, decide, connect, connected };
}
