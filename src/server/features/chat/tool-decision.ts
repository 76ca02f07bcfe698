import { sql } from 'drizzle-orm';
import type { ToolCallState } from '../../../contract/tool.ts';
import { asLive } from '../../access/agent-settings.ts';
import { holdCredits } from '../../access/entitlement.ts';
import { AppError, notFound } from '../../app-error.ts';
import type { ChatCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import type { OfferedOperation } from '../tool/store.ts';
import { findActive, findLeaf } from './answer-store.ts';
import { inConversationToAsk, isWithPerson, type Sent } from './asking.ts';
import { amongBranches } from './branches.ts';
import type { OpenConversation } from './store.ts';
import { decideCall, listCallsOf, type StoredCall } from './tool-call-store.ts';
import { isLate, presentCall } from './tool-call.ts';
import type { Connecting } from './tool-connect.ts';
import { readSql } from './turn-sql.ts';
import type { Turn, TurnMessage } from './turn-store.ts';

interface Decision {
  messageId: string;
  callId: string;
  decision: 'allow' | 'deny';
}

/** A call, with the answer that waits for it. */
export interface OpenCall {
  open: OpenConversation;
  question: TurnMessage;
  answer: TurnMessage;
  /** All calls of the answer. */
  calls: StoredCall[];
  call: StoredCall;
}

/** Errors: 404 if the caller isn't the person asked. */
export async function openCall(
  tx: Tx,
  open: OpenConversation,
  { userId }: ChatCaller,
  { messageId, callId }: Pick<Decision, 'messageId' | 'callId'>,
): Promise<OpenCall> {
  const { conversation } = open;
  if (conversation.userId !== userId) throw notFound();
  const answer = await findActive(tx, conversation, messageId);
  const question = answer?.parentId ? await findActive(tx, conversation, answer.parentId) : undefined;
  const calls = await listCallsOf(tx, conversation.organizationId, messageId);
  const call = calls.find(({ id }) => id === callId);
  if (!answer || !question || !call) throw notFound();
  return { open, ...(await amongBranches(tx, { question, answer })), calls, call };
}

/**
 * Applies the person's decision to a waiting call, once. When no other call of the answer is waiting, the answer
 * resumes: returns its turn. Repeating the same decision returns the outcome. Errors: 404 if the caller isn't the
 * person asked, 409 when it no longer waits, or waits for more than a decision.
 */
export async function decideToolCall(
  deps: Deps,
  accounts: Pick<Connecting, 'has'>,
  caller: ChatCaller,
  conversationId: string,
  decision: Decision,
): Promise<Turn | Sent> {
  return inConversationToAsk(deps, caller, conversationId, (tx, open) =>
    decideIn(deps, accounts, tx, { open, caller }, decision),
  );
}

/** The same within a transaction that has opened the conversation. */
export async function decideIn(
  deps: Deps,
  accounts: Pick<Connecting, 'has'>,
  tx: Tx,
  { open, caller }: { open: OpenConversation; caller: ChatCaller },
  { decision, ...which }: Decision,
): Promise<Turn | Sent> {
  const found = await openCall(tx, open, caller, which);
  const { question, answer, calls, call } = found;
  if (call.state !== 'waiting') {
    if (!isSame(decision, call.state)) throw new AppError('tool/not-waiting');
    return { question, answer };
  }
  await requireLast(tx, found);
  if (decision === 'allow') await requireNoMore(tx, accounts, call, caller);
  const state = decision === 'allow' ? 'allowed' : 'denied';
  if (!(await decideCall(tx, call, state))) throw new AppError('tool/not-waiting');
  const decided = calls.map((other) => (other === call ? { ...call, state } : other) satisfies StoredCall);
  return goOnWith(deps, tx, { ...found, calls: decided, caller });
}

/** With its calls' current states: the answer's turn, if none of them waits. */
export async function goOnWith(
  deps: Deps,
  tx: Tx,
  { open, question, answer, calls, caller }: Omit<OpenCall, 'call'> & { caller: ChatCaller },
): Promise<Turn | Sent> {
  if (calls.some(({ state }) => state === 'waiting'))
    return { question, answer: { ...answer, toolCalls: calls.map(presentCall) } };
  return goOn(deps, tx, { open, question, answer, caller, resumed: calls });
}

/** Some calls need more than a decision. */
async function requireNoMore(
  tx: Tx,
  accounts: Pick<Connecting, 'has'>,
  call: StoredCall,
  { userId }: ChatCaller,
): Promise<void> {
  if (call.waitsFor === 'form') throw new AppError('tool/form-needed');
  if (call.waitsFor === 'account' && !(await accounts.has(tx, { ...call, userId })))
    throw new AppError('tool/account-needed');
}

function isSame(decision: Decision['decision'], state: ToolCallState): boolean {
  return decision === 'deny' ? state === 'denied' : !['denied', 'refused'].includes(state);
}

/** Later messages would change what the person agrees to. */
export async function requireLast(
  tx: Tx,
  { open: { conversation }, answer, call }: Pick<OpenCall, 'open' | 'answer' | 'call'>,
): Promise<void> {
  if (isWithPerson(conversation)) throw new AppError('chat/with-person');
  const last = await findLeaf(tx, conversation);
  if (answer.state !== 'waiting' || last?.id !== answer.id || conversation.answering || isLate(call))
    throw new AppError('tool/not-waiting');
}

interface Waiting {
  open: OpenConversation;
  question: TurnMessage;
  answer: TurnMessage;
  caller: ChatCaller;
  resumed: StoredCall[];
}

/** The turn of a resuming answer: the conversation is locked, the maximum cost of its calls is held, and everything is reread. */
async function goOn(
  { runner }: Deps,
  tx: Tx,
  { open, question, answer, caller, resumed }: Waiting,
): Promise<Turn> {
  const { conversation, agent } = open;
  const goesOnWith = resumed.filter(({ state }) => state === 'allowed').length;
  const charge = await holdCredits(tx, { agent, caller, answer, goesOnWith, mayCall: true });
  const { organizationId, id } = conversation;
  const { rows } = await tx.execute<
    Pick<Turn, 'statistics'> & { history: Turn['history'] | null; tools: OfferedOperation[] | null }
  >(sql`
    with opened as (
      update conversation set answering = ${answer.id}, updated_at = now()
       where id = ${id} and organization_id = ${organizationId} returning id, organization_id, agent_id),
    begun as (
      update message set state = 'pending', runner = ${runner.id}::bigint, updated_at = now()
       where id = ${answer.id} and organization_id = ${organizationId} returning id)
    select ${readSql(sql`${id}`, sql`${question.sequence - 1}`)} from opened, begun`);
  const [read] = rows;
  if (!read) throw new AppError('tool/not-waiting');
  return {
    question,
    answer: { ...answer, state: 'pending', runner: runner.id },
    kind: conversation.kind,
    agent: conversation.agentVersion === null ? asLive(agent) : agent,
    history: read.history ?? [],
    statistics: read.statistics,
    tools: read.tools ?? [],
    resumed,
    userId: caller.userId,
    page: conversation.page,
    dryRun: conversation.dryRun,
    charge,
  };
}
