import type { Attachment } from '../../../contract/chat.ts';
import type { PluginType } from '../../../contract/plugin-names.ts';
import { requireEntitled } from '../../access/entitlement.ts';
import { AppError } from '../../app-error.ts';
import type { VisitorCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import type { OpenedFile } from '../../documents.ts';
import { newId } from '../../id.ts';
import { attachmentOf, insertAttachment, requireSpace } from '../attachment/store.ts';
import type { Answering } from './answering.ts';
import {
  askIn,
  inConversationToAsk,
  isWithPerson,
  keepForPerson,
  openAgent,
  type Kept,
  type Sent,
} from './asking.ts';
import { takeMessage } from './limits.ts';
import * as store from './store.ts';
import type { ReadMessage, StoredMessage } from './store.ts';
import { titleFrom } from './title.ts';
import type { Connecting } from './tool-connect.ts';
import { decideIn } from './tool-decision.ts';
import type { Turn } from './turn-store.ts';

interface ChannelQuestion {
  /** Undefined for the first one. */
  conversationId: string | undefined;
  channel: PluginType;
  text: string;
  /** Opened, but not stored yet. */
  files: OpenedFile[];
}

type ChannelAnswer = StoredMessage & Pick<ReadMessage, 'toolCalls'>;

/** The most rounds of calls in one answer that are skipped one after another. */
const LEFT_OUT_MAX = 10;

/** Talking with an agent from a channel. */
export interface ChannelTurns {
  /**
   * Takes one from the person's message allowance, before anything they sent is fetched or transcribed: that costs
   * something too, even if nothing can be asked afterwards. Errors: 402 without the purchase that opens the chat, 404,
   * 429.
   */
  admit: (caller: VisitorCaller) => Promise<void>;
  /**
   * Asks, and waits for the answer. In the same transaction, `noted` records which answer it will be, so that nothing
   * is asked twice; if a person is to answer, that is the message itself. Errors: those of `chat.send`.
   */
  ask: (
    caller: VisitorCaller,
    question: ChannelQuestion,
    noted: (tx: Tx, answer: StoredMessage) => Promise<void>,
  ) => Promise<void>;
  /**
   * Applies the person's decision to every call an answer waits for, and waits until the answer has resumed. In the
   * same transaction, `noted` records that the decision was made, so that it is applied once.
   */
  decide: (
    caller: VisitorCaller,
    waiting: ChannelAnswer,
    decision: 'allow' | 'deny',
    noted: (tx: Tx) => Promise<void>,
  ) => Promise<void>;
  /** As currently stored; undefined if it is gone. */
  read: (tx: Tx, organizationId: string, answerId: string) => Promise<ChannelAnswer | undefined>;
  /** The message to the person about such an error, and whether the next attempt may succeed. */
  reasonOf: (error: unknown, caller: VisitorCaller) => { words: string; isPassing: boolean };
}

export function channelTurnsIn(
  deps: Deps,
  answering: Answering,
  { accounts, origin }: { accounts: Pick<Connecting, 'has'>; origin: () => string },
): ChannelTurns {
  const { decideAll, leaveOut } = decidingIn(deps, answering, accounts);
  return {
    admit: (caller) =>
      deps.db.in({ organizationId: caller.organizationId }, async (tx) => {
        const agent = await openAgent(tx, caller.organizationId, caller.agentId, caller);
        await requireEntitled(tx, agent, caller);
        await takeMessage(tx, caller, agent);
      }),

    ask: async (caller, question, noted) => {
      const turn = await begin(deps, caller, question, noted);
      if ('kept' in turn) return void answering.keep(turn, caller);
      await answering.start(turn, caller).done;
      await leaveOut(caller, turn.answer.id);
    },

    decide: async (caller, waiting, decision, noted) => {
      await decideAll(caller, waiting, decision, noted);
      await leaveOut(caller, waiting.id);
    },

    read: (tx, organizationId, answerId) => store.findMessage(tx, organizationId, answerId),

    reasonOf: (error, { agentId }) => reasonOf(error, `${origin()}/chat/${agentId}`),
  };
}

/** How channels handle calls that wait for a person. */
function decidingIn(deps: Deps, answering: Answering, accounts: Pick<Connecting, 'has'>) {
  const decideAll = async (
    caller: VisitorCaller,
    { id: messageId, conversationId, toolCalls }: ChannelAnswer,
    decision: 'allow' | 'deny',
    noted?: (tx: Tx) => Promise<void>,
  ) => {
    const waiting = toolCalls.filter(({ state }) => state === 'waiting');
    const decided = await inConversationToAsk(deps, caller, conversationId, async (tx, open) => {
      let result: Turn | Sent | undefined;
      for (const { id: callId } of waiting)
        result = await decideIn(deps, accounts, tx, { open, caller }, { messageId, callId, decision });
      await noted?.(tx);
      return result;
    });
    if (decided && 'agent' in decided) await answering.start(decided, caller).done;
  };

  /** Forms and signing in at a service aren't possible in a channel: such calls are skipped, and the answer continues. */
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

/**
 * The question with its files, and the upcoming answer, in one transaction; if it can't be asked, nothing of the files
 * remains.
 */
async function begin(
  deps: Deps,
  caller: VisitorCaller,
  { conversationId, channel, text, files: given }: ChannelQuestion,
  noted: (tx: Tx, answer: StoredMessage) => Promise<void>,
): Promise<Turn | Kept> {
  const { organizationId, agentId, userId } = caller;
  const files = given.map((file) => ({ ...file, id: newId('attachment') }));
  // A file sent without text is referred to by its name.
  const words = text || files.map(({ name }) => name).join(', ');
  try {
    for (const { id, data } of files) await deps.storage.put(id, data);
    return await deps.db.in({ organizationId }, async (tx) => {
      const agent = await openAgent(tx, organizationId, agentId, caller);
      await takeMessage(tx, caller, agent);
      const known =
        conversationId && (await store.findConversation(tx, conversationId, userId, { lock: true }));
      const values = {
        organizationId,
        agentId,
        userId,
        title: titleFrom(words),
        kind: 'chat',
        channel,
      } as const;
      const fresh = { temporary: false, agentVersion: null, dryRun: false, page: null };
      const conversation = known
        ? known.conversation
        : await store.insertConversation(tx, { ...values, ...fresh });
      const attachments: Attachment[] = [];
      for (const file of files) attachments.push(await attach(tx, deps, caller, conversation.id, file));
      const question = { text: words, attachments, authorId: null, sendKey: null };
      if (isWithPerson(conversation)) {
        const kept = await keepForPerson(tx, conversation, question);
        await noted(tx, kept.kept);
        return kept;
      }
      const begun = await askIn(deps, tx, caller, conversation.id, question);
      await noted(tx, begun.answer);
      return begun;
    });
  } catch (error) {
    for (const { id } of files) await deps.storage.remove(id);
    throw error;
  }
}

async function attach(
  tx: Tx,
  { config }: Pick<Deps, 'config'>,
  { organizationId, userId }: VisitorCaller,
  conversationId: string,
  { id, name, mediaType, data, text }: OpenedFile & { id: string },
): Promise<Attachment> {
  await requireSpace(tx, config, { organizationId, id: conversationId }, data.length);
  const what = { id, name, mediaType, bytes: data.length, storageKey: id, text };
  return attachmentOf(await insertAttachment(tx, { ...what, organizationId, conversationId, userId }));
}

/**
 * An error about the question itself is reported, with where to buy what is missing; anything else may succeed on the
 * next attempt.
 */
function reasonOf(error: unknown, address: string): { words: string; isPassing: boolean } {
  const isPassing = !(error instanceof AppError) || error.status >= 500 || error.code === 'chat/busy';
  const words = error instanceof AppError ? error.message : 'The answer could not be created.';
  const isToBuy = error instanceof AppError && error.code === 'payment/required';
  return { words: isToBuy ? `${words}\n${address}` : words, isPassing };
}
