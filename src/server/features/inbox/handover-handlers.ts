import type { handover as contract } from '../../../contract/inbox.ts';
import { requireChat } from '../../access/gate.ts';
import { AppError, noConversation } from '../../app-error.ts';
import type { ChatCaller, Handlers } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { findConversation, type ConversationKey, type OpenConversation } from '../chat/store.ts';
import { endHandover } from './handover-store.ts';
import type { People } from './people.ts';

interface Around {
  people: People;
  /** Ends the agent's answer in progress. */
  silence: (tx: Tx, key: ConversationKey) => Promise<void>;
  /** Notifies the end user's own screens. */
  notify: (key: ConversationKey, userIds: string[]) => void;
}

/** The end user's way to a person and back. */
export function handoverHandlers(
  { db }: Pick<Deps, 'db'>,
  { people, silence, notify }: Around,
): Handlers<typeof contract> {
  const inOwn = async <T>(
    id: string,
    caller: ChatCaller,
    work: (tx: Tx, open: OpenConversation) => Promise<T>,
  ): Promise<T> => {
    const { userId } = caller;
    const [key, result] = await db.in({ conversationId: id, userId }, async (tx) => {
      const open = await findConversation(tx, id, userId, { lock: true });
      if (!open || open.conversation.userId !== userId) throw noConversation();
      await requireChat(tx, open.agent, caller);
      return [open.conversation, await work(tx, open)] as const;
    });
    people.heard(key);
    notify(key, [userId]);
    return result;
  };

  return {
    ask: async ({ id, reason }, caller) =>
      inOwn(id, caller, async (tx, open) => {
        const { handling } = open.conversation;
        // If no person is offered, only members can step in.
        const isWithPeople = handling === 'waiting' || handling === 'human';
        if (!open.agent.offersPerson && !isWithPeople) throw new AppError('chat/no-person');
        const notice = await people.ask(tx, open, { by: 'end-user', reason: reason.trim() });
        await silence(tx, open.conversation);
        return { handling: handling === 'human' ? ('human' as const) : ('waiting' as const), notice };
      }),

    cancel: async ({ id }, caller) =>
      inOwn(id, caller, async (tx, { conversation }) => {
        // A conversation taken over by a member is handed back by that member.
        if (conversation.handling === 'human') throw new AppError('chat/with-person');
        if (conversation.handling === 'waiting') await endHandover(tx, conversation, 'bot');
        return { handling: 'bot' as const };
      }),
  };
}
