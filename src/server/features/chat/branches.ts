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
 * Saying or answering something once more. The earlier words stay as a branch beside the new ones. In a room there are no
 * branches: all see the same.
 */

/** One call that says or answers something once more. */
export interface Again {
  begin: (tx: Tx, conversation: StoredConversation) => Promise<Turn>;
  /** The message in whose place something is said or answered; the last answer when left out. */
  messageId?: string;
  /** The words in the place of the earlier ones. */
  text?: string;
}

/**
 * What was begun under this key before, which is neither begun nor counted again. Errors: 422 when the key was used for
 * something else.
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
    // An answer of which nothing came is not kept.
    (replaced && replaced.parentId !== (text === undefined ? answer : question)?.parentId);
  if (!question || isOther) throw new AppError('idempotency/mismatch');
  return amongBranches(tx, { question, answer });
}

/** Begins it, under a key when there is one. */
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

/** Answers the last message again when its answer did not come out whole; of nothing that came no branch is left. */
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

/** Another answer in the place of this one. Errors: 404 for what is no answer on the branch that is shown. */
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

/** Other words in the place of these, from where the conversation goes on anew. Errors: 404 for what was not said by them. */
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

/** The same with what stands beside its messages, for its readers. */
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
