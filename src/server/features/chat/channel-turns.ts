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
import type { Connecting } from './tool-connect.ts';
import { decideToolCall } from './tool-decision.ts';

interface ChannelQuestion {
  /** Undefined for the first one. */
  conversationId: string | undefined;
  channel: PluginType;
  text: string;
}

type ChannelAnswer = StoredMessage & Pick<ReadMessage, 'toolCalls'>;

/** An answer asks for so few things one after the other. */
const LEFT_OUT_MAX = 10;

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

export function channelTurnsIn(
  deps: Deps,
  answering: Answering,
  accounts: Pick<Connecting, 'has'>,
): ChannelTurns {
  const { decideAll, leaveOut } = decidingIn(deps, answering, accounts);
  return {
    ask: async (caller, question, noted) => {
      const { organizationId } = caller;
      const turn = await deps.db.in({ organizationId }, async (tx) => {
        await openAgent(tx, organizationId, caller.agentId, caller);
        await takeMessage(tx, caller, organizationId);
        const id = await conversationFor(tx, caller, question);
        const asked = { text: question.text, attachments: [], authorId: null, sendKey: null };
        const begun = await askIn(deps, tx, caller, id, asked);
        await noted(tx, begun.answer);
        return begun;
      });
      await answering.start(turn, caller).done;
      await leaveOut(caller, turn.answer.id);
    },

    decide: async (caller, waiting, decision) => {
      await decideAll(caller, waiting, decision);
      await leaveOut(caller, waiting.id);
    },

    read: (tx, organizationId, answerId) => store.findMessage(tx, organizationId, answerId),

    reasonOf,
  };
}

/** What channels do with calls that wait for a person. */
function decidingIn(deps: Deps, answering: Answering, accounts: Pick<Connecting, 'has'>) {
  const decideAll = async (
    caller: VisitorCaller,
    { id: messageId, conversationId, toolCalls }: ChannelAnswer,
    decision: 'allow' | 'deny',
  ) => {
    for (const { id: callId, state } of toolCalls) {
      if (state !== 'waiting') continue;
      const wanted = { messageId, callId, decision };
      const result = await decideToolCall(deps, accounts, caller, conversationId, wanted);
      if ('agent' in result) await answering.start(result, caller).done;
    }
  };

  /** Nobody can fill in a form or sign in at a service in a channel: such calls are left out, and the answer goes on. */
  const leaveOut = async (caller: VisitorCaller, answerId: string) => {
    const { organizationId } = caller;
    for (let left = LEFT_OUT_MAX; left > 0; left -= 1) {
      const answer = await deps.db.in({ organizationId }, (tx) =>
        store.findMessage(tx, organizationId, answerId),
      );
      const needing = answer?.toolCalls.filter(
        ({ state, waitsFor }) => state === 'waiting' && waitsFor !== 'word',
      );
      if (!answer || !needing || needing.length === 0) return;
      await decideAll(caller, { ...answer, toolCalls: needing }, 'deny');
    }
  };

  return { decideAll, leaveOut };
}

/** The one that it goes on in; a new one when there is none, or when it was deleted. */
async function conversationFor(
  tx: Tx,
  { organizationId, agentId, userId }: VisitorCaller,
  { conversationId, channel, text }: ChannelQuestion,
): Promise<string> {
  const known = conversationId && (await store.findConversation(tx, conversationId, userId));
  if (known) return known.conversation.id;
  const begun = await store.insertConversation(tx, {
    organizationId,
    agentId,
    userId,
    title: titleFrom(text),
    kind: 'chat',
    channel,
    temporary: false,
    agentVersion: null,
    dryRun: false,
    page: null,
  });
  return begun.id;
}

/** An error that says what is wrong with the question is told; everything else may go well at the next try. */
function reasonOf(error: unknown): { words: string; isPassing: boolean } {
  const isPassing = !(error instanceof AppError) || error.status >= 500 || error.code === 'chat/busy';
  return { words: error instanceof AppError ? error.message : 'The answer could not be made.', isPassing };
}
