import type { Attachment, Message } from '../../../contract/chat.ts';
import { requireEntitled } from '../../access/entitlement.ts';
import type { Agent } from '../../access/gate.ts';
import { AppError } from '../../app-error.ts';
import type { ChatCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import type { Answering } from './answering.ts';
import { ask, inConversationToAsk } from './asking.ts';
import { requireMessageLeft, takeMessage } from './limits.ts';
import { messageOf } from './present.ts';
import { insertSaid } from './store.ts';

interface Words {
  text: string;
  attachments: Attachment[];
}

/** Saying something in a conversation, for other ways of doing so than the chat itself. */
export interface Speaking {
  /** Before what is said is known, since knowing it costs. Errors: 429 for who may say nothing at the moment. */
  requireLeft: (tx: Tx, caller: ChatCaller, agent: Agent) => Promise<void>;
  /** Stores it and begins to answer, which `chat.attach` follows. Errors: those of `chat.send`. */
  ask: (
    caller: ChatCaller,
    conversationId: string,
    words: Words,
  ) => Promise<{ message: Message; answer: Message | null }>;
  /** Stores it, and nobody answers. */
  leave: (caller: ChatCaller, conversationId: string, words: Words) => Promise<Message>;
}

export function speakingIn(deps: Deps, answering: Answering): Speaking {
  return {
    requireLeft: requireMessageLeft,
    ask: async (caller, conversationId, words) => {
      const turn = await ask(deps, caller, conversationId, { ...words, authorId: null, sendKey: null });
      if ('kept' in turn) return answering.keep(turn, caller);
      // Without a key of its own a message is never one that was sent before.
      if ('agent' in turn) {
        answering.start(turn, caller);
        await turn.committed;
      }
      return { message: messageOf(turn.question), answer: messageOf(turn.answer) };
    },
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
