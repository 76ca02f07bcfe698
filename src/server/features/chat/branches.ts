import { AppError, notFound } from '../../app-error.ts';
import type { ChatCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import {
  findActive,
  findLeaf,
  findUnderKey,
  keepUnderKey,
  leaveBranch,
  removeEmptyAnswer,
} from './answer-store.ts';
import { askIn, isWithPerson, type Sent } from './asking.ts';
import { findMessage, siblingsOf, type StoredConversation, type StoredMessage } from './store.ts';
import type { Turn } from './turn-store.ts';

/**
 * Saying or answering something again. The earlier words stay as a branch beside the new ones. A room has no branches:
 * everyone sees the same.
 */

/** One call that says or answers something again. */
export interface Again {
  begin: (tx: Tx, conversation: StoredConversation) => Promise<Turn>;
  /** The message being replaced; default: the last answer. */
  messageId?: string;
  /** The replacement text. */
  text?: string;
}

/**
 * What was started earlier under this key, which is neither restarted nor counted again. Errors: 422 if the key was
 * used for something else.
 */
export async function findBegun(
  tx: Tx,
  conversation: StoredConversation,
  sendKey: string,
  { messageId, text }: Again,
): Promise<Sent | undefined> {
  const answer = await findUnderKey(tx, conversation, sendKey);
  if (!answer) return undefined;
  const { organizationId } = conversation;
  const read = async (id: string | null) => (id === null ? undefined : findMessage(tx, organizationId, id));
  const [question, replaced] = [await read(answer.parentId), await read(messageId ?? null)];
  const isOther =
    answer.role === 'user' ||
    (text !== undefined && question?.text !== text) ||
    // An answer that produced nothing isn't kept.
    (replaced && replaced.parentId !== (text === undefined ? answer : question)?.parentId);
  if (!question || isOther) throw new AppError('idempotency/mismatch');
  return amongBranches(tx, { question, answer });
}

/** Starts it, under a key if there is one. */
export async function beginAgain(
  tx: Tx,
  conversation: StoredConversation,
  sendKey: string | undefined,
  { begin }: Again,
): Promise<Turn> {
  const turn = await begin(tx, conversation);
  if (sendKey !== undefined) await keepUnderKey(tx, turn.answer, sendKey);
  return turn;
}

/** Answers the last message again if its answer was incomplete; if nothing was produced, no branch of it remains. */
export async function retryAnswer(
  deps: Deps,
  tx: Tx,
  caller: ChatCaller,
  conversation: StoredConversation,
): Promise<Turn> {
  requireIdle(conversation);
  const last = await findLeaf(tx, conversation);
  const isBroken = last?.role === 'assistant' && ['failed', 'incomplete', 'stopped'].includes(last.state);
  if (!last || !isBroken || !last.parentId) throw new AppError('chat/nothing-to-answer');
  return answerAgain(deps, tx, caller, conversation, last);
}

/** Replaces this answer with another. Errors: 404 if it isn't an answer on the branch shown. */
export async function regenerateAnswer(
  deps: Deps,
  tx: Tx,
  caller: ChatCaller,
  conversation: StoredConversation,
  messageId: string,
): Promise<Turn> {
  const answer = await findActive(tx, conversation, messageId);
  if (answer?.role !== 'assistant' || conversation.kind === 'game') throw notFound();
  return answerAgain(deps, tx, caller, conversation, answer);
}

/** Replaces a message's words; the conversation continues anew from there. Errors: 404 if they didn't write it. */
export async function editMessage(
  deps: Deps,
  tx: Tx,
  caller: ChatCaller,
  conversation: StoredConversation,
  messageId: string,
  text: string,
): Promise<Turn> {
  const said = await findActive(tx, conversation, messageId);
  if (said?.role !== 'user' || conversation.kind === 'game') throw notFound();
  requireIdle(conversation);
  await leaveBranch(tx, conversation, said.sequence);
  const { attachments, authorId } = said;
  const question = { text, attachments, authorId, sendKey: null };
  return amongBranches(tx, await askIn(deps, tx, caller, conversation.id, question));
}

async function answerAgain(
  deps: Deps,
  tx: Tx,
  caller: ChatCaller,
  conversation: StoredConversation,
  answer: StoredMessage,
): Promise<Turn> {
  requireIdle(conversation);
  const question = answer.parentId === null ? undefined : await findActive(tx, conversation, answer.parentId);
  if (!question) throw new AppError('chat/nothing-to-answer');
  await leaveBranch(tx, conversation, answer.sequence);
  await removeEmptyAnswer(tx, conversation, answer.id);
  return amongBranches(tx, await askIn(deps, tx, caller, conversation.id, question));
}

/** The same, with each message's sibling branches, for its readers. */
export async function amongBranches<T extends Pick<Turn | Sent, 'question' | 'answer'>>(
  tx: Tx,
  turn: T,
): Promise<T> {
  const { question, answer } = turn;
  return {
    ...turn,
    question: { ...question, siblings: await siblingsOf(tx, question) },
    answer: { ...answer, siblings: await siblingsOf(tx, answer) },
  };
}

function requireIdle(conversation: StoredConversation): void {
  if (isWithPerson(conversation)) throw new AppError('chat/with-person');
  if (conversation.answering) throw new AppError('chat/busy');
}
