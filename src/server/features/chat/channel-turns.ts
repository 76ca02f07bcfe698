import type { PluginType } from '../../../contract/plugin-types.ts';
import { AppError } from '../../app-error.ts';
import type { VisitorCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import type { Answering } from './answering.ts';
import { askIn, openAgent } from './asking.ts';
import { takeMessage } from './limits.ts';
import * as store from './store.ts';
import type { ReadMessage, StoredMessage } from './store.ts';
import { titleFrom } from './title.ts';
import { decideToolCall } from './tool-decision.ts';

interface ChannelQuestion {
  /** Undefined for the first one. */
  conversationId: string | undefined;
  channel: PluginType;
  text: string;
}

type ChannelAnswer = StoredMessage & Pick<ReadMessage, 'toolCalls'>;

/** Talking with an agent from a channel. */
export interface ChannelTurns {
  /**
   * Asks, and waits for the answer. `noted` writes down in the same transaction which answer it will be, so that nothing is
   * asked twice. Errors: those of `chat.send`.
   */
  ask: (
    caller: VisitorCaller,
    question: ChannelQuestion,
    noted: (tx: Tx, answer: StoredMessage) => Promise<void>,
  ) => Promise<void>;
  /** Gives the person's word on every call that an answer waits for, and waits until the answer has gone on. */
  decide: (caller: VisitorCaller, waiting: ChannelAnswer, decision: 'allow' | 'deny') => Promise<void>;
  /** As it is stored now; undefined when it is gone. */
  read: (tx: Tx, organizationId: string, answerId: string) => Promise<ChannelAnswer | undefined>;
  /** What the person is told of an error of these, and whether the next try may go well. */
  reasonOf: (error: unknown) => { words: string; isPassing: boolean };
}

export function channelTurnsIn(deps: Deps, answering: Answering): ChannelTurns {
  return {
    ask: async (caller, { conversationId, channel, text }, noted) => {
      const { organizationId, agentId, userId } = caller;
      const turn = await deps.db.in({ organizationId }, async (tx) => {
        await openAgent(tx, organizationId, agentId, caller);
        await takeMessage(tx, caller, organizationId);
        const known = conversationId && (await store.findConversation(tx, conversationId, userId));
        const values = {
          organizationId,
          agentId,
          userId,
          title: titleFrom(text),
          kind: 'chat',
          channel,
        } as const;
        const { id } = known
          ? known.conversation
          : await store.insertConversation(tx, {
              ...values,
              temporary: false,
              agentVersion: null,
              page: null,
            });
        const begun = await askIn(deps, tx, caller, id, {
          text,
          attachments: [],
          authorId: null,
          sendKey: null,
        });
        await noted(tx, begun.answer);
        return begun;
      });
      await answering.start(turn, caller).done;
    },

    decide: async (caller, { id: messageId, conversationId, toolCalls }, decision) => {
      for (const { id: callId, state } of toolCalls) {
        if (state !== 'waiting') continue;
        const result = await decideToolCall(deps, caller, conversationId, { messageId, callId, decision });
        if ('agent' in result) await answering.start(result, caller).done;
      }
    },

    read: (tx, organizationId, answerId) => store.findMessage(tx, organizationId, answerId),

    reasonOf,
  };
}

/** An error that says what is wrong with the question is told; everything else may go well at the next try. */
function reasonOf(error: unknown): { words: string; isPassing: boolean } {
  const isPassing = !(error instanceof AppError) || error.status >= 500 || error.code === 'chat/busy';
  return { words: error instanceof AppError ? error.message : 'The answer could not be made.', isPassing };
}
