import type { Attachment, ConversationKind } from '../../../contract/chat.ts';
import type { VersionSettings } from '../../../contract/version.ts';
import { asLive, withSettings } from '../../access/agent-settings.ts';
import { allowanceKey } from '../../access/allowance.ts';
import { CREDITS_AN_ANSWER } from '../../access/credits.ts';
import type { Charge } from '../../access/entitlement.ts';
import type { Agent } from '../../access/gate.ts';
import type { Config } from '../../config/config.ts';
import type { Run } from '../../db/scope.ts';
import type { Filled } from '../../db/shape.ts';
import { newId } from '../../id.ts';
import type { StatisticsRow } from '../knowledge/search.ts';
import type { OfferedOperation } from '../tool/store.ts';
import type { Counted } from './limits.ts';
import type { StoredMessage } from './store.ts';
import { titleFrom } from './title.ts';
import type { StoredCall } from './tool-call-store.ts';
import { turnShapes, type Askable } from './turn-sql.ts';

/** The history, newest first. */
export type Said = Pick<StoredMessage, 'id' | 'role' | 'text' | 'authorId' | 'attachments'>;

/** With its sibling branches; unset: there are none. */
export type TurnMessage = StoredMessage & { siblings?: string[] };

/** A question, its upcoming answer, and everything from the database that generating it requires. */
export interface Turn {
  question: TurnMessage;
  answer: TurnMessage;
  kind: ConversationKind;
  agent: Agent;
  history: Said[];
  statistics: StatisticsRow;
  /** The functions the agent may call. */
  tools: OfferedOperation[];
  /** Earlier calls, for a resuming answer. */
  resumed?: StoredCall[];
  /**
   * Resolves once it is on disk; rejects if it wasn't started. Until then its model may be called, but nothing may be
   * revealed. Unset: it already is.
   */
  committed?: Promise<void> | undefined;
  /** Who gets the answer, and on which page of a site. */
  userId: string;
  page: string | null;
  /** Tool calls that do more than read aren't made. */
  dryRun: boolean;
  /** What it takes from the person's purchases; unset: nothing. */
  charge?: Charge | undefined;
}

export interface NewQuestion {
  text: string;
  attachments: Attachment[];
  authorId: string | null;
  sendKey: string | null;
  /** Unset: the previous message's page. */
  page?: string | null | undefined;
}

export interface TurnRequest {
  conversationId: string;
  /** The asker, in a conversation of their own. */
  userId: string;
  askable: Askable;
  /** The agent, if the asker's token implies it. */
  agentId?: string | undefined;
  /** Whose messages are counted; unset: nobody's. */
  counted?: Counted | undefined;
  /** A new question, or one that is answered again. */
  question: NewQuestion | StoredMessage;
  runner: number;
  /** The answer's id; unset: a new one. */
  answerId?: string;
  /** The turn may be returned before it is taken; `requireTaken` then says whether it was. */
  isSpeculative?: boolean;
}

/** What a turn leaves for the next; null means there is no limit. */
export interface Leftover {
  made: unknown;
  creditsLeft: number | null;
  messagesLeft: number | null;
}

interface TurnRow extends Record<string, unknown>, Leftover {
  made: { sequence: number; createdAt: string } | null;
  granted: boolean;
  parentId: string | null;
  kind: ConversationKind;
  history: Said[] | null;
  statistics: StatisticsRow;
  tools: OfferedOperation[] | null;
  page: string | null;
  dryRun: boolean;
  /** The version being tried in this conversation. */
  tried: { number: number; settings: VersionSettings } | null;
}

export type TurnResult = Turn | 'not-possible' | 'no-credit';

/**
 * Starts an answer in one round trip: locks the conversation, holds a credit, stores question and answer, and reads the
 * history. It fails if someone else holds the conversation, so out of any number of concurrent requests one succeeds,
 * and none makes others that were batched with it wait.
 */
export async function beginTurn(
  run: Run,
  config: Pick<Config, 'billing'>,
  request: TurnRequest,
): Promise<TurnResult> {
  const asked = isStored(request.question) ? request.question : undefined;
  const questionId = asked?.id ?? newId('message');
  const { answerId = newId('message') } = request;
  const [found] = await run<TurnRow>(turnStatement(config, request, questionId, answerId));
  if (!found?.granted) return 'not-possible';
  const { made, granted: _, parentId, kind, history, statistics, tools, page, dryRun, tried, ...row } = found;
  if (!made) return 'no-credit';
  const live = row as unknown as Agent;
  const answeredAgent = tried ? withSettings(live, tried.number, tried.settings) : asLive(live);
  const { userId } = request;
  const createdAt = new Date(made.createdAt);
  const shared = {
    ...blank,
    organizationId: answeredAgent.organizationId,
    conversationId: request.conversationId,
    createdAt,
    updatedAt: createdAt,
  };
  const question: StoredMessage = asked ?? {
    ...shared,
    ...request.question,
    authorId: kind === 'game' ? request.question.authorId : null,
    id: questionId,
    role: 'user',
    state: 'complete',
    parentId,
    sequence: made.sequence - 1,
  };
  const answer: StoredMessage = {
    ...shared,
    id: answerId,
    role: 'assistant',
    state: 'pending',
    parentId: questionId,
    sequence: made.sequence,
    runner: request.runner,
    reserved: config.billing.mode === 'off' ? 0 : CREDITS_AN_ANSWER,
  };
  const read = { kind, history: history ?? [], statistics, tools: tools ?? [], page, dryRun };
  return { question, answer, agent: answeredAgent, userId, ...read };
}

/** A speculative turn lacked a credit or a message, or was refused by the database. Nothing of it is stored. */
export class TurnNotTaken extends Error {}

/** Checks the rows of the statement that writes a turn. Errors: `TurnNotTaken`. */
export function requireTaken([row]: Record<string, unknown>[]): void {
  if (!row?.['made']) throw new TurnNotTaken('The turn could not be taken.');
}

function isStored(question: NewQuestion | StoredMessage): question is StoredMessage {
  return 'id' in question;
}

const blank = {
  text: '',
  citations: [],
  attachments: [],
  suggestions: [],
  error: null,
  hasToolCalls: false,
  receipt: null,
  authorId: null,
  parentId: null,
  active: true,
  sendKey: null,
  reserved: 0,
  entitlementId: null,
  held: 0,
  spent: 0,
  runner: null,
} satisfies Partial<StoredMessage>;

function turnStatement(
  config: Pick<Config, 'billing'>,
  { conversationId, userId, askable, agentId, counted, question, runner, isSpeculative }: TurnRequest,
  questionId: string,
  answerId: string,
): Filled {
  const { text, attachments, authorId, sendKey } = question;
  const isNew = !isStored(question);
  const kind = { isNew, isKeyed: isNew && sendKey !== null, askable, counted: counted?.who };
  const given = {
    conversationId,
    userId,
    agentId: agentId ?? null,
    countedKey: counted ? allowanceKey(counted.key) : null,
    upTo: isNew ? null : question.sequence - 1,
    page: isNew ? (question.page ?? null) : null,
    sendKey,
    title: titleFrom(text),
    questionId,
    text,
    attachments: JSON.stringify(attachments),
    authorId,
    answerId,
    runner,
  };
  const { whole, read, write } = turnShapes(config, kind);
  const split = isSpeculative ? { read: read.with(given), write: write.with(given) } : undefined;
  return { ...whole.with(given), split };
}
