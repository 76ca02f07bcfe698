import { sql, type SQL } from 'drizzle-orm';
import type pg from 'pg';
import type { UnansweredReason } from '../../../contract/improvement.ts';
import { insertAll } from '../../db/rows.ts';
import { question, questionReading } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import type { Answered } from './asks.ts';
import type { AgentKey } from './keys.ts';

/** A row becomes visible when its transaction ends but carries the time of its start: reading overlaps by this much. */
const LOOK_BACK = sql.raw(`interval '1 minute'`);
/** For a row `r`: a time from a clock that has since been set back counts as now, or nothing would be read until then. */
const SEEN_UNTIL = 'case when r.seen_until > now() then now() else r.seen_until end';
/** How long to wait for an answer that is waiting for something. */
const WAITS = sql.raw(`interval '1 day'`);

/** Conversations that count: not by members trying the agent, not temporary, not a game, not deleted. Rows of `c`. */
export const counted = ({ organizationId, agentId }: AgentKey): SQL =>
  sql`c.organization_id = ${organizationId} and c.agent_id = ${agentId} and not c.temporary and c.agent_version is null
    and c.deleted_at is null and c.kind <> 'game'`;

/** Agents of all organizations whose conversations have changed, or whose questions are to be grouped. */
export async function listAgentsToRead(owner: pg.Pool): Promise<AgentKey[]> {
  const { rows } = await owner.query<AgentKey>(`
    select a.organization_id as "organizationId", a.id as "agentId"
      from agent a left join question_reading r on r.agent_id = a.id and r.organization_id = a.organization_id
     where a.deleted_at is null and (r.is_due
       or exists (select from conversation c where c.agent_id = a.id and c.organization_id = a.organization_id
                   and (r.seen_until is null or c.updated_at > (${SEEN_UNTIL}) - interval '1 minute'))
       or exists (select from message_feedback f where f.organization_id = a.organization_id
                   and f.updated_at > (${SEEN_UNTIL}) - interval '1 minute')
       or exists (select from question q where q.agent_id = a.id and q.organization_id = a.organization_id
                   and not q.is_settled and q.asked_at > now() - interval '1 day')
       or exists (select from question q where q.agent_id = a.id and q.organization_id = a.organization_id
                   and q.why = 'disliked' and not exists (
                     select from message_feedback f where f.organization_id = q.organization_id
                        and f.message_id = q.answer_id and f.rating = 'down')))
     order by a.id`);
  return rows;
}

/** How far an agent's conversations have been read; null before the first time. `now`: the database's clock. */
export async function findReading(
  tx: Tx,
  { organizationId, agentId }: AgentKey,
): Promise<{ seenUntil: Date | null; now: Date }> {
  const { rows } = await tx.execute<{ seenUntil: string | null; now: string }>(sql`
    select now() as now, (select ${sql.raw(SEEN_UNTIL)} from question_reading r
      where r.organization_id = ${organizationId} and r.agent_id = ${agentId}) as "seenUntil"`);
  const [{ now, seenUntil } = { now: '', seenUntil: null }] = rows;
  return { now: new Date(now), seenUntil: seenUntil === null ? null : new Date(seenUntil) };
}

/** Never undoes another process's progress. */
export async function setSeen(tx: Tx, { organizationId, agentId }: AgentKey, until: Date): Promise<void> {
  await tx
    .insert(questionReading)
    .values({ organizationId, agentId, seenUntil: until })
    .onConflictDoUpdate({
      target: questionReading.agentId,
      set: {
        seenUntil: sql`case when ${questionReading.seenUntil} > now() then excluded.seen_until
          else greatest(${questionReading.seenUntil}, excluded.seen_until) end`,
      },
      setWhere: sql`${questionReading.organizationId} = ${organizationId}`,
    });
}

export interface Place {
  updatedAt: Date;
  id: string;
}

/** Conversations changed since, in order of change. */
export async function listChanged(
  tx: Tx,
  key: AgentKey,
  { since, after, most }: { since: Date | null; after: Place | undefined; most: number },
): Promise<Place[]> {
  const from = since ? sql`and c.updated_at > ${since.toISOString()}::timestamptz - ${LOOK_BACK}` : sql``;
  const further = after
    ? sql`and (c.updated_at, c.id) > (${after.updatedAt.toISOString()}::timestamptz, ${after.id})`
    : sql``;
  const { rows } = await tx.execute<{ id: string; updatedAt: string }>(sql`
    select c.id, c.updated_at as "updatedAt" from conversation c where ${counted(key)} ${from} ${further}
     order by c.updated_at, c.id limit ${most}`);
  return rows.map(({ id, updatedAt }) => ({ id, updatedAt: new Date(updatedAt) }));
}

/** Conversations in which an answer has ended, or a rating was added or removed, without another change. */
export async function listTouched(tx: Tx, key: AgentKey, since: Date): Promise<string[]> {
  const { organizationId, agentId } = key;
  const { rows } = await tx.execute<{ id: string }>(sql`
    select c.id from conversation c where ${counted(key)} and c.id in (
      select m.conversation_id from message_feedback f
        join message m on m.id = f.message_id and m.organization_id = f.organization_id
       where f.organization_id = ${organizationId} and f.updated_at > ${since.toISOString()}::timestamptz - ${LOOK_BACK}
      union select q.conversation_id from question q
       where q.organization_id = ${organizationId} and q.agent_id = ${agentId} and not q.is_settled and q.asked_at > now() - ${WAITS}
      union select q.conversation_id from question q
       where q.organization_id = ${organizationId} and q.agent_id = ${agentId} and q.why = 'disliked' and not exists (
         select from message_feedback f
          where f.organization_id = q.organization_id and f.message_id = q.answer_id and f.rating = 'down'))
     order by c.id`);
  return rows.map(({ id }) => id);
}

export interface Said extends Answered {
  messageId: string;
  conversationId: string;
  answerId: string;
  text: string;
  before: string | null;
  askedAt: Date;
  isSettled: boolean;
  /** It is already recorded with its terms. */
  isKnown: boolean;
}

/** A message `q` asks something on the branch shown. */
const isAsked = sql.raw(`q.role = 'user' and q.active and q.text <> ''`);

/** Its answer on that branch. */
const answerTo = (organizationId: string): SQL => sql`
  select a.* from message a where a.organization_id = ${organizationId} and a.parent_id = q.id
     and a.role = 'assistant' and a.active limit 1`;

/**
 * Questions in these conversations, on the branch shown, each with its answer: unrecorded ones, and those whose outcome
 * has changed. For a finished answer only its rating and a request for a person can change; all others stay in the
 * database, which keeps a long conversation from being reread and rewritten over and over while it continues.
 */
export async function listSaid(tx: Tx, key: AgentKey, conversationIds: string[]): Promise<Said[]> {
  if (conversationIds.length === 0) return [];
  const { organizationId, agentId } = key;
  const { rows } = await tx.execute<
    Omit<Said, 'askedAt'> & { askedAt: string } & Record<string, unknown>
  >(sql`
    with asked as (
      select q.id, q.conversation_id, q.text, q.created_at, q.sequence,
             lag(q.text) over conversations as before, lead(q.created_at) over conversations as next_at
        from message q join conversation c on c.id = q.conversation_id and c.organization_id = q.organization_id
       where q.organization_id = ${organizationId} and q.conversation_id in ${conversationIds}
         and ${isAsked} and ${counted(key)}
      window conversations as (partition by q.conversation_id order by q.sequence)),
    answered as (
      select q.*, a.id as answer_id, a.citations, a.has_tool_calls,
             a.state not in ('pending', 'streaming', 'waiting') as is_settled,
             coalesce((a.receipt ->> 'refused')::boolean, false) as refused, (a.receipt ->> 'support')::real as support,
             exists (select from message_feedback f where f.organization_id = ${organizationId} and f.message_id = a.id
                       and f.rating = 'down') as disliked,
             exists (select from handover h where h.organization_id = ${organizationId} and h.conversation_id = q.conversation_id
                       and h.by <> 'member' and h.asked_at >= q.created_at and (q.next_at is null or h.asked_at < q.next_at)) as handed_over
        from asked q join lateral (${answerTo(organizationId)}) a on true)
    select w.id as "messageId", w.conversation_id as "conversationId", w.text, w.before, w.created_at as "askedAt",
           w.answer_id as "answerId", w.is_settled as "isSettled", w.refused, w.support,
           jsonb_array_length(w.citations) as cited, w.has_tool_calls as "calledTools",
           exists (select from index_block b where b.organization_id = ${organizationId} and b.agent_id = ${agentId}) as "hasKnowledge",
           w.disliked, w.handed_over as "handedOver", k.message_id is not null as "isKnown"
      from answered w left join question k on k.organization_id = ${organizationId} and k.message_id = w.id
     where k.message_id is null or not k.is_settled
        or (k.answer_id, k.is_settled, k.confidence) is distinct from (w.answer_id, w.is_settled, w.support)
        or w.refused <> (coalesce(k.why, '') = 'refused')
        or not w.refused and w.disliked <> (coalesce(k.why, '') = 'disliked')
        or not w.refused and not w.disliked and w.handed_over <> (coalesce(k.why, '') = 'handover')
     order by w.conversation_id, w.sequence`);
  return rows.map((row) => ({ ...row, askedAt: new Date(row.askedAt) }));
}

export interface QuestionRow extends Pick<
  Said,
  'messageId' | 'conversationId' | 'answerId' | 'text' | 'askedAt' | 'isSettled'
> {
  why: UnansweredReason | null;
  confidence: number | null;
  language: string;
  terms: Record<string, number>;
}

/** The outcome of recorded questions. */
export type Outcome = Pick<QuestionRow, 'messageId' | 'answerId' | 'isSettled' | 'why' | 'confidence'>;

/** Returns whether there is something to group. */
export async function insertQuestions(
  tx: Tx,
  { organizationId, agentId }: AgentKey,
  rows: QuestionRow[],
): Promise<boolean> {
  const made = await insertAll(rows, (portion) =>
    tx
      .insert(question)
      .values(portion.map((row) => ({ ...row, organizationId, agentId })))
      .onConflictDoNothing()
      .returning({ id: question.messageId }),
  );
  return made.length > 0;
}

/** The same for changed outcomes; a question that was answered and no longer is gets grouped anew. */
export async function updateOutcomes(
  tx: Tx,
  { organizationId }: AgentKey,
  outcomes: Outcome[],
): Promise<boolean> {
  if (outcomes.length === 0) return false;
  const { rows } = await tx.execute(sql`
    update question q set answer_id = o."answerId", is_settled = o."isSettled", why = o.why, confidence = o.confidence,
           is_grouped = q.is_grouped and (q.why is null) = (o.why is null) and q.is_settled = o."isSettled",
           cluster_id = case when (q.why is null) = (o.why is null) then q.cluster_id end
      from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb)
        as o("messageId" text, "answerId" text, "isSettled" boolean, why text, confidence real)
     where q.organization_id = ${organizationId} and q.message_id = o."messageId"
       and q.message_id in ${outcomes.map(({ messageId }) => messageId)}
       and (q.answer_id, q.is_settled, q.why, q.confidence) is distinct from (o."answerId", o."isSettled", o.why, o.confidence)
    returning q.message_id`);
  return rows.length > 0;
}

/** Removes these conversations' obsolete questions: another branch is shown, or the conversation no longer counts. */
export async function deleteOthers(tx: Tx, key: AgentKey, conversationIds: string[]): Promise<boolean> {
  const { organizationId } = key;
  const { rows } = await tx.execute(sql`
    delete from question k where k.organization_id = ${organizationId} and k.conversation_id in ${conversationIds}
       and (select ${isAsked} and (select ${counted(key)} from conversation c where c.id = q.conversation_id)
                   and exists (${answerTo(organizationId)})
              from message q where q.organization_id = ${organizationId} and q.id = k.message_id) is not true
    returning k.message_id`);
  return rows.length > 0;
}

export async function setDue(tx: Tx, { organizationId, agentId }: AgentKey): Promise<void> {
  await tx
    .insert(questionReading)
    .values({ organizationId, agentId, isDue: true })
    .onConflictDoUpdate({
      target: questionReading.agentId,
      set: { isDue: true },
      setWhere: sql`${questionReading.organizationId} = ${organizationId}`,
    });
}
