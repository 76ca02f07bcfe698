import type { Attachment, Message } from '../../../contract/chat.ts';
import { requireEntitled } from '../../access/entitlement.ts';
import type { Agent } from '../../access/gate.ts';
import { AppError } from '../../app-error.ts';
import type { ChatCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import type { Answering } from './answering.ts';
import { inConversationToAsk } from './asking.ts';
import { requireMessageLeft, takeMessage } from './limits.ts';
import { messageOf } from './present.ts';
import { askThen } from './speculation.ts';
import { insertSaid } from './store.ts';

interface Words {
  text: string;
  attachments: Attachment[];
}

/** Saying something in a conversation, for interfaces other than the chat itself. */
export interface Speaking {
  /**
   * Checked before a message is transcribed, since that costs something. Errors: 429 for a caller who can't send any
   * more at the moment.
   */
  requireLeft: (tx: Tx, caller: ChatCaller, agent: Agent) => Promise<void>;
  /** Stores it and starts answering; `chat.attach` follows the answer. Errors: those of `chat.send`. */
  ask: (
    caller: ChatCaller,
    conversationId: string,
    words: Words,
  ) => Promise<{ message: Message; answer: Message | null }>;
  /** Stores it without answering. */
  leave: (caller: ChatCaller, conversationId: string, words: Words) => Promise<Message>;
}

export function speakingIn(deps: Deps, answering: Answering): Speaking {
  return {
    requireLeft: requireMessageLeft,
    ask: (caller, conversationId, words) =>
      askThen(deps, caller, conversationId, { ...words, authorId: null, sendKey: null }, async (begun) => {
        if ('kept' in begun) return answering.keep(begun, caller);
        // Without a key of its own, a message is never a repetition.
        if ('agent' in begun) {
          answering.start(begun, caller);
          await begun.committed;
        }
        return { message: messageOf(begun.question), answer: messageOf(begun.answer) };
      }),
    leave: async (caller, conversationId, words) => {
      const said = await inConversationToAsk(
        deps,
        caller,
        conversationId,
        async (tx, { conversation, agent }) => {
          await requireEntitled(tx, agent, caller);
          if (conversation.answering) throw new AppError('chat/busy');
          await takeMessage(tx, caller, agent);
          return insertSaid(tx, conversation, { ...words, authorId: null });
        },
      );
      answering.notify({ organizationId: said.organizationId, id: conversationId }, [caller.userId]);
      return messageOf(said);
    },
  };
}
