import type { Message } from '../../../contract/chat.ts';
import { AppError } from '../../app-error.ts';
import { personOf, type MemberCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { insertSaid, messageOf, type StoredConversation } from '../chat/store.ts';
import { conversationsIn, type Around } from './conversations.ts';
import { giveTo } from './handover-store.ts';
import { requirePossible } from './people.ts';
import * as store from './store.ts';

/** Members who answer instead of the agent. */
export function writingIn(deps: Deps, around: Around) {
  const { inOne } = conversationsIn(deps, around);

  /** Errors: `inbox/taken`. */
  const takeFor = async (tx: Tx, conversation: StoredConversation, userId: string): Promise<void> => {
    const { assigneeId } = conversation;
    if (assigneeId !== null && assigneeId !== userId) throw new AppError('inbox/taken');
    if (assigneeId === userId) return;
    await giveTo(tx, conversation, userId);
    await around.silence(tx, conversation);
  };

  /** The message, and the job that delivers it to a channel, are stored together. */
  const write = async (caller: MemberCaller, id: string, text: string): Promise<{ message: Message }> => {
    const { userId: authorId } = personOf(caller);
    const [conversation, said] = await inOne(caller, id, 'agent.write', async (tx, conversation) => {
      requirePossible(conversation);
      await takeFor(tx, conversation, authorId);
      const words = { text, attachments: [], authorId, role: 'operator' } as const;
      const said = await insertSaid(tx, conversation, { ...words, attachments: [] });
      if (conversation.channel !== null) await bring(tx, conversation, said.id);
      else await relayLater(tx, conversation);
      return [conversation, said] as const;
    });
    around.notify(conversation, [conversation.userId]);
    around.people.heard(conversation);
    return { message: messageOf(said) };
  };

  const bring = async (
    tx: Tx,
    { organizationId, id }: StoredConversation,
    messageId: string,
  ): Promise<void> => {
    await store.insertSaying(tx, { organizationId, id }, messageId);
    await deps.jobs.enqueue(tx, 'channel.say', { organizationId, conversationId: id });
  };

  /** By then the end user has read it, or has left. */
  const relayLater = (tx: Tx, { organizationId, id: conversationId }: StoredConversation): Promise<void> =>
    deps.jobs.enqueue(
      tx,
      'inbox.relay',
      { organizationId, conversationId },
      deps.config.inboxRelayAfterSeconds,
    );

  return { write, takeFor };
}
