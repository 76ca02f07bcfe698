import { and, asc, desc, eq, gt, inArray, isNotNull, lt, or, sql, type SQL } from 'drizzle-orm';
import type { Citation, MessageState } from '../../../contract/chat.ts';
import type { Agent } from '../../access/gate.ts';
import { isSeenBy } from '../../access/standing.ts';
import { agent, conversation, message, type Receipt } from '../../db/schema/index.ts';
import type { Database, Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';
import { titleFrom } from './title.ts';

export type StoredConversation = typeof conversation.$inferSelect;
export type StoredMessage = typeof message.$inferSelect;

/** What every statement on a conversation names, beside what row-level security keeps apart anyway. */
export type ConversationKey = Pick<StoredConversation, 'id' | 'organizationId'>;

export interface OpenConversation {
  conversation: StoredConversation;
  agent: Agent;
}

/**
 * The end user's own conversation with its agent; undefined for everybody else's. With `lock`, others who lock it wait
 * until this transaction ends, so that what is read of its messages afterwards stays true.
 */
export async function findConversation(
  tx: Tx,
  id: string,
  userId: string,
  lock = false,
): Promise<OpenConversation | undefined> {
  const query = tx
    .select({ conversation, agent })
    .from(conversation)
    .innerJoin(
      agent,
      and(eq(agent.id, conversation.agentId), eq(agent.organizationId, conversation.organizationId)),
    )
    .where(and(eq(conversation.id, id), eq(conversation.userId, userId)));
  const [found] = await (lock ? query.for('update', { of: conversation }) : query);
  return found;
}

export interface ConversationCursor {
  updatedAt: Date;
  id: string;
}

/** Newest first, across organizations; agents are read apart, each in its organization. */
export async function listOwnConversations(
  tx: Tx,
  userId: string,
  count: number,
  before?: ConversationCursor,
): Promise<StoredConversation[]> {
  const older =
    before &&
    or(
      lt(conversation.updatedAt, before.updatedAt),
      and(eq(conversation.updatedAt, before.updatedAt), lt(conversation.id, before.id)),
    );
  return tx
    .select()
    .from(conversation)
    .where(and(eq(conversation.userId, userId), older))
    .orderBy(desc(conversation.updatedAt), desc(conversation.id))
    .limit(count);
}

export async function findAgents(tx: Tx, organizationId: string, ids: string[]): Promise<Agent[]> {
  return tx
    .select()
    .from(agent)
    .where(and(eq(agent.organizationId, organizationId), inArray(agent.id, ids)));
}

export async function insertConversation(
  tx: Tx,
  values: { organizationId: string; agentId: string; userId: string; title: string },
): Promise<StoredConversation> {
  const [made] = await tx
    .insert(conversation)
    .values({ id: newId('conversation'), ...values })
    .returning();
  return made as StoredConversation;
}

const inConversation = ({ organizationId, id }: ConversationKey): SQL | undefined =>
  and(eq(message.organizationId, organizationId), eq(message.conversationId, id));

export async function listMessages(
  tx: Tx,
  key: ConversationKey,
  count: number,
  orderBy: 'asc' | 'desc',
  after?: number,
): Promise<StoredMessage[]> {
  const beyond: SQL | undefined =
    after === undefined
      ? undefined
      : orderBy === 'asc'
        ? gt(message.sequence, after)
        : lt(message.sequence, after);
  return tx
    .select()
    .from(message)
    .where(and(inConversation(key), beyond))
    .orderBy(orderBy === 'asc' ? asc(message.sequence) : desc(message.sequence))
    .limit(count);
}

/** What was said before, oldest first: only whole messages, for the model. */
export async function listHistory(
  tx: Tx,
  key: ConversationKey,
  before: number,
  count: number,
): Promise<StoredMessage[]> {
  const newestFirst = await tx
    .select()
    .from(message)
    .where(and(inConversation(key), lt(message.sequence, before), sql`${message.text} <> ''`))
    .orderBy(desc(message.sequence))
    .limit(count);
  return newestFirst.toReversed();
}

export interface Turn {
  question: StoredMessage;
  answer: StoredMessage;
}

/**
 * Stores the person's message and the answer to come, in one statement with the conversation's numbering. Undefined when
 * an answer is still under way. The conversation must be locked: then that is exact, however many send at once.
 */
export async function insertTurn(
  tx: Tx,
  { organizationId, id: conversationId }: ConversationKey,
  text: string,
  runner: number,
): Promise<Turn | undefined> {
  const questionId = newId('message');
  const answerId = newId('message');
  const { rows } = await tx.execute<{ sequence: number; createdAt: string }>(sql`
    with numbered as (
      update conversation
         set last_sequence = last_sequence + 2, updated_at = now(),
             title = case when title = '' then ${titleFrom(text)} else title end
       where id = ${conversationId} and organization_id = ${organizationId}
         and not exists (select 1 from message where conversation_id = ${conversationId} and runner is not null)
      returning last_sequence)
    insert into message (id, organization_id, conversation_id, role, text, state, sequence, runner)
    select new.id, ${organizationId}, ${conversationId}, new.role, new.text, new.state, last_sequence - new.before, new.runner
      from numbered, (values
        (${questionId}, 'user', ${text}, 'complete', 1, null::bigint),
        (${answerId}, 'assistant', '', 'pending', 0, ${runner}::bigint)) as new (id, role, text, state, before, runner)
    returning sequence, created_at as "createdAt"`);
  const [first] = rows;
  if (!first) return undefined;
  const createdAt = new Date(first.createdAt);
  const sequence = Math.min(...rows.map((row) => row.sequence));
  const shared = {
    organizationId,
    conversationId,
    citations: [],
    error: null,
    receipt: null,
    createdAt,
    updatedAt: createdAt,
  };
  return {
    question: { ...shared, id: questionId, role: 'user', text, state: 'complete', sequence, runner: null },
    answer: {
      ...shared,
      id: answerId,
      role: 'assistant',
      text: '',
      state: 'pending',
      sequence: sequence + 1,
      runner,
    },
  };
}

/** Takes the last answer up again when it did not come out whole; undefined when there is none such. */
export async function reopenTurn(tx: Tx, key: ConversationKey, runner: number): Promise<Turn | undefined> {
  const last = sql`(select max(sequence) from ${message} where ${message.conversationId} = ${key.id})`;
  const [answer] = await tx
    .update(message)
    .set({
      text: '',
      state: 'pending',
      citations: [],
      error: null,
      receipt: null,
      runner,
      updatedAt: sql`now()`,
    })
    .where(
      and(
        inConversation(key),
        eq(message.sequence, last),
        eq(message.role, 'assistant'),
        inArray(message.state, ['failed', 'incomplete', 'stopped']),
      ),
    )
    .returning();
  if (!answer) return undefined;
  const [question] = await listMessages(tx, key, 1, 'desc', answer.sequence);
  return question && { question, answer };
}

/** Keeps what has come so far. False when the answer was settled elsewhere in the meantime: it was stopped. */
export async function saveProgress(
  db: Database,
  { organizationId, id }: StoredMessage,
  text: string,
): Promise<boolean> {
  const saved = await db.once(
    { organizationId },
    sql`update message set text = ${text}, state = 'streaming', updated_at = now()
         where id = ${id} and organization_id = ${organizationId}
           and state in ('pending', 'streaming') returning id`,
  );
  return saved.length > 0;
}

export interface Settlement {
  text: string;
  state: MessageState;
  citations: Citation[];
  error: string | null;
  receipt: Receipt;
}

/** The last word on an answer: from now on it is nobody's work. */
export async function settleAnswer(
  db: Database,
  answer: StoredMessage,
  settlement: Settlement,
): Promise<StoredMessage> {
  const { text, state, citations, error, receipt } = settlement;
  await db.once(
    { organizationId: answer.organizationId },
    sql`update message
           set text = ${text}, state = ${state}, error = ${error}, runner = null, updated_at = now(),
               citations = ${JSON.stringify(citations)}::jsonb, receipt = ${JSON.stringify(receipt)}::jsonb
         where id = ${answer.id} and organization_id = ${answer.organizationId}`,
  );
  return { ...answer, ...settlement, runner: null };
}

/** Tells the process that is answering, whichever it is, to stop; it keeps what it has. */
export async function requestStop(tx: Tx, key: ConversationKey): Promise<boolean> {
  const stopped = await tx
    .update(message)
    .set({ state: 'stopped', updatedAt: sql`now()` })
    .where(and(inConversation(key), inArray(message.state, ['pending', 'streaming'])))
    .returning({ id: message.id });
  return stopped.length > 0;
}

export async function findAnswerUnderWay(tx: Tx, key: ConversationKey): Promise<StoredMessage | undefined> {
  const [found] = await tx
    .select()
    .from(message)
    .where(and(inConversation(key), isNotNull(message.runner)));
  return found;
}

export async function findMessage(
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<StoredMessage | undefined> {
  const [found] = await tx
    .select()
    .from(message)
    .where(and(eq(message.organizationId, organizationId), eq(message.id, id)));
  return found;
}

/**
 * Stops what a private agent is answering to people who may not see it any more, as `requestStop` does: whichever
 * process makes the answer notices, and what has come is kept.
 */
export async function stopUnseenAnswers(tx: Tx, organizationId: string): Promise<void> {
  const isUnseen = sql`exists (select 1 from ${conversation} join ${agent} on ${agent.id} = ${conversation.agentId}
    where ${conversation.id} = ${message.conversationId} and not ${agent.isPublic}
      and not ${isSeenBy(sql`${conversation.userId}`)})`;
  await tx
    .update(message)
    .set({ state: 'stopped', updatedAt: sql`now()` })
    .where(
      and(
        eq(message.organizationId, organizationId),
        isNotNull(message.runner),
        inArray(message.state, ['pending', 'streaming']),
        isUnseen,
      ),
    );
}
