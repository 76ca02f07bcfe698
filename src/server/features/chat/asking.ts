import type { SQL } from 'drizzle-orm';
import { NO_CREDIT_LEFT } from '../../access/credits.ts';
import { holdCredits } from '../../access/entitlement.ts';
import { isMemberWhoSees, requireChat, type Agent } from '../../access/gate.ts';
import { AppError, noAgent, noConversation, notFound } from '../../app-error.ts';
import type { ChatCaller } from '../../call.ts';
import { isRefused, isUnheard } from '../../db/errors.ts';
import { runIn, type Run, type Tx } from '../../db/scope.ts';
import type { Scope } from '../../db/settings.ts';
import type { Filled } from '../../db/shape.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../id.ts';
import { findSent } from './answer-store.ts';
import { settleGivenUp } from './interrupted.ts';
import { countedMessages, takeMessage } from './limits.ts';
import { leftoversOf } from './leftovers.ts';
import * as store from './store.ts';
import { stopMessageIn } from '../billing/store.ts';
import type { OpenConversation, StoredConversation, StoredMessage } from './store.ts';
import {
  beginTurn,
  requireTaken,
  TurnNotTaken,
  type NewQuestion,
  type Turn,
  type TurnMessage,
  type TurnRequest,
  type TurnResult,
} from './turn-store.ts';

/** Nothing is found for a nonexistent conversation: a 404, as for someone else's. */
export function ofConversation(conversationId: string, { userId }: ChatCaller): Scope {
  return { conversationId, userId };
}

export async function openOwn(
  tx: Tx,
  id: string,
  caller: ChatCaller,
  options?: Parameters<typeof store.findConversation>[3],
): Promise<OpenConversation> {
  const found = await store.findConversation(tx, id, caller.userId, options);
  if (!found) throw noConversation();
  return found;
}

/** For callers who may chat with the agent; to everyone else it doesn't exist. */
export async function openAgent(
  tx: Tx,
  organizationId: string,
  id: string,
  caller: ChatCaller,
): Promise<Agent> {
  const [agent] = await store.findAgents(tx, organizationId, [id]);
  if (!agent || agent.deletedAt) throw noAgent();
  await requireChat(tx, agent, caller);
  return agent;
}

/** A message sent earlier under the same key, with its answer. */
export interface Sent {
  question: TurnMessage;
  answer: ReadAnswer;
}

/** A message for a person to answer. */
export interface Kept {
  kept: StoredMessage;
  /** Not sent before under the same key. */
  isNew: boolean;
}

type ReadAnswer = TurnMessage & Partial<Pick<store.ReadMessage, 'toolCalls'>>;

/** What the caller may ask anywhere, so that no further checks are needed. Doesn't cover trying a version. */
function askableBy(caller: ChatCaller): Pick<TurnRequest, 'askable' | 'agentId'> {
  if (caller.kind === 'user') return { askable: 'open' };
  return { askable: caller.byKey ? 'ofKey' : 'ofVisitor', agentId: caller.agentId };
}

/**
 * Starts answering a new message, or stores it for a person. Usually this takes a single round trip; only if that fails
 * is the reason determined. With `maySpeculate` the turn may be returned before it is taken; `committed` then rejects
 * with `TurnNotTaken` if it can't be (see `askThen`). Errors: 404, 403, 409 while an answer is in progress, 402 without
 * credits or a required purchase, 429; 422 if the key was used for another message; 503 when more is asked than can be
 * answered.
 */
export async function ask(
  deps: Deps,
  caller: ChatCaller,
  conversationId: string,
  question: NewQuestion,
  { maySpeculate = false }: { maySpeculate?: boolean } = {},
): Promise<Turn | Sent | Kept> {
  const organizationId = deps.backlog.ownerOf(conversationId);
  const counted = countedMessages(caller);
  const leftovers = leftoversOf(deps);
  const isSpeculative =
    maySpeculate && organizationId !== undefined && leftovers.areAmple(organizationId, counted.key);
  let committed: Promise<Record<string, unknown>[]> | undefined;
  const run: Run = async <Row extends Record<string, unknown>>(statement: SQL | Filled) => {
    if (organizationId === undefined)
      return deps.db.often<Row>(ofConversation(conversationId, caller), statement);
    const early = await deps.db.early<Row>(organizationId, statement);
    ({ committed } = early);
    const note = (row?: Record<string, unknown>) => leftovers.note(organizationId, counted.key, row);
    committed.then(
      ([row]) => note(row),
      () => note(),
    );
    return early.rows;
  };
  const answerId = newId('message');
  const asked = { conversationId, caller, question, ...askableBy(caller), counted, answerId, isSpeculative };
  const begun = await deps.backlog.inTurn(conversationId, () =>
    attempt(deps, run, asked).catch((error: unknown) => notBegun(deps, answerId, error)),
  );
  if (begun !== 'not-possible') {
    const turn = requireTurn(begun);
    deps.backlog.belongs(conversationId, turn.answer.organizationId);
    const taken = committed?.then(requireTaken).catch((error: unknown) => {
      if (isSpeculative && isRefused(error)) throw new TurnNotTaken(undefined, { cause: error });
      return notBegun(deps, answerId, error);
    });
    return { ...turn, committed: taken };
  }
  return inConversationToAsk(deps, caller, conversationId, async (tx, { conversation, agent }) => {
    deps.backlog.belongs(conversationId, conversation.organizationId);
    const sent = question.sendKey === null ? undefined : await findSent(tx, conversation, question.sendKey);
    const isOther = sent && (sent.question.role !== 'user' || sent.question.text !== question.text);
    if (isOther) throw new AppError('idempotency/mismatch');
    if (sent) return sent.answer ? { ...sent, answer: sent.answer } : { kept: sent.question, isNew: false };
    await takeMessage(tx, caller, agent);
    if (isWithPerson(conversation)) return keepForPerson(tx, conversation, question);
    return askIn(deps, tx, caller, conversation.id, question);
  });
}

function notBegun(deps: Deps, answerId: string, error: unknown): never {
  if (isUnheard(error)) settleGivenUp(deps, answerId);
  throw error;
}

/** A member answers here, or is about to. */
export function isWithPerson({ handling }: Pick<StoredConversation, 'handling'>): boolean {
  return handling === 'waiting' || handling === 'human';
}

/** The conversation must be locked. */
export async function keepForPerson(
  tx: Tx,
  conversation: StoredConversation,
  { text, attachments, sendKey }: NewQuestion,
): Promise<Kept> {
  const said = { text, attachments, sendKey, authorId: null };
  return { kept: await store.insertSaid(tx, conversation, said), isNew: true };
}

/** Runs `work` with the conversation locked, for a caller who may still ask its agent: it can have become private since. */
export async function inConversationToAsk<T>(
  deps: Deps,
  caller: ChatCaller,
  conversationId: string,
  work: (tx: Tx, open: OpenConversation) => Promise<T>,
): Promise<T> {
  return deps.db.in(ofConversation(conversationId, caller), async (tx) => {
    const open = await openOwn(tx, conversationId, caller, { lock: true });
    await requireChat(tx, open.agent, caller);
    if (open.conversation.agentVersion !== null) await requireTrial(tx, open.agent, caller);
    return work(tx, open);
  });
}

/** Only members who see an agent can try its versions; to everyone else there are none. */
export async function requireTrial(tx: Tx, agent: Agent, caller: ChatCaller): Promise<void> {
  if (!(await isMemberWhoSees(tx, agent, caller))) throw notFound();
}

/**
 * The same within a transaction that has already checked everything: a rejected message isn't deducted from the
 * sender's allowance. For an agent that sells, what the answer may cost the person is held here, and nowhere else.
 */
export async function askIn(
  deps: Deps,
  tx: Tx,
  caller: ChatCaller,
  conversationId: string,
  question: NewQuestion | StoredMessage,
): Promise<Turn> {
  const turn = requireTurn(
    await attempt(deps, runIn(tx), { conversationId, caller, question, askable: 'any' }),
  );
  // What is left after this is not known here.
  leftoversOf(deps).note(turn.agent.organizationId, countedMessages(caller).key);
  const mayCall = turn.tools.length > 0;
  return { ...turn, charge: await holdCredits(tx, { ...turn, caller, mayCall }) };
}

async function attempt(
  { config, runner }: Deps,
  run: Run,
  { caller, ...request }: Omit<TurnRequest, 'runner' | 'userId'> & { caller: ChatCaller },
): Promise<Exclude<TurnResult, 'no-credit'>> {
  const { userId } = caller;
  const result = await beginTurn(run, config, { ...request, userId, runner: runner.id });
  if (result === 'no-credit')
    throw new AppError('quota/exceeded', (await stopMessageIn(run, request)) ?? NO_CREDIT_LEFT);
  return result;
}

function requireTurn(result: Exclude<TurnResult, 'no-credit'>): Turn {
  if (result === 'not-possible') throw new AppError('chat/busy');
  return result;
}
