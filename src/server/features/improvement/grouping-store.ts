import { and, eq, sql, type SQL } from 'drizzle-orm';
import { QUESTIONS_COMPARED_MAX } from '../../../contract/limits.ts';
import { questionCluster, questionReading, topic } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import type { AgentKey } from './keys.ts';
import { counted } from './reading-store.ts';

/** Grouping pauses for this many times its duration: an agent with constant questions takes at most a twentieth of a core. */
const REST = 20;

export type StoredCluster = typeof questionCluster.$inferSelect;
export type StoredTopic = typeof topic.$inferSelect;

export interface StoredQuestion extends Record<string, unknown> {
  id: string;
  conversationId: string;
  text: string;
  terms: Record<string, number>;
  language: string;
  isUnanswered: boolean;
  isGrouped: boolean;
  clusterId: string | null;
  topicId: string | null;
  /** The answered cluster whose pair its answer cites. */
  citedCluster: string | null;
  vector: Buffer | null;
}

/** The state of an agent's grouping; undefined if there is nothing to group, or it isn't due yet. */
export async function findDue(
  tx: Tx,
  { organizationId, agentId }: AgentKey,
): Promise<{ revision: number } | undefined> {
  const [found] = await tx
    .select({ revision: questionReading.revision })
    .from(questionReading)
    .where(
      and(
        eq(questionReading.organizationId, organizationId),
        eq(questionReading.agentId, agentId),
        eq(questionReading.isDue, true),
        sql`(${questionReading.groupedAt} is null or ${questionReading.groupedAt} > now()
          or ${questionReading.groupedAt} + ${questionReading.groupedMs} * ${sql.raw(String(REST))} * interval '1 millisecond' < now())`,
      ),
    );
  return found;
}

export async function listClusters(tx: Tx, { organizationId, agentId }: AgentKey): Promise<StoredCluster[]> {
  return tx
    .select()
    .from(questionCluster)
    .where(and(eq(questionCluster.organizationId, organizationId), eq(questionCluster.agentId, agentId)))
    .orderBy(questionCluster.id);
}

export async function listTopics(tx: Tx, { organizationId, agentId }: AgentKey): Promise<StoredTopic[]> {
  return tx
    .select()
    .from(topic)
    .where(and(eq(topic.organizationId, organizationId), eq(topic.agentId, agentId)))
    .orderBy(topic.id);
}

/**
 * The newest grouped and the newest ungrouped questions, oldest first. `of`: `clusters` for unanswered ones, in a
 * cluster or new; `topics` for all. Vectors only from that model.
 */
export async function listQuestions(
  tx: Tx,
  key: AgentKey,
  { of, model }: { of: 'clusters' | 'topics'; model: string | null },
): Promise<StoredQuestion[]> {
  const { organizationId, agentId } = key;
  const wanted =
    of === 'topics' ? sql`` : sql`and (q.why is not null or q.cluster_id is not null or not q.is_grouped)`;
  const half = (grouped: SQL) => sql`(
    select q.* from question q join conversation c on c.id = q.conversation_id and ${counted(key)}
     where q.organization_id = ${organizationId} and q.agent_id = ${agentId} and q.is_settled and ${grouped} ${wanted}
     order by q.asked_at desc, q.message_id desc limit ${QUESTIONS_COMPARED_MAX / 2})`;
  const { rows } = await tx.execute<StoredQuestion>(sql`
    select q.message_id as id, q.conversation_id as "conversationId", q.text, q.terms, q.language, q.why is not null as "isUnanswered",
           q.is_grouped as "isGrouped", q.cluster_id as "clusterId", q.topic_id as "topicId",
           case when q.vector_model = ${model} then q.vector end as vector,
           case when not q.is_grouped then (select k.id from question_cluster k
              join message a on a.id = q.answer_id and a.organization_id = k.organization_id
             where k.organization_id = ${organizationId} and k.agent_id = ${agentId} and k.state = 'answered'
               and a.citations @> jsonb_build_array(jsonb_build_object('knowledgeId', k.knowledge_id))
             order by k.id limit 1) end as "citedCluster"
      from (${half(sql`q.is_grouped`)} union all ${half(sql`not q.is_grouped`)}) q
     order by q.asked_at, q.message_id`);
  return rows;
}

/** Questions without a vector from this model. */
export async function listWithoutVector(
  tx: Tx,
  key: AgentKey,
  model: string,
  most: number,
): Promise<{ id: string; text: string }[]> {
  const { organizationId, agentId } = key;
  const { rows } = await tx.execute<{ id: string; text: string }>(sql`
    select q.message_id as id, q.text from question q join conversation c on c.id = q.conversation_id and ${counted(key)}
     where q.organization_id = ${organizationId} and q.agent_id = ${agentId} and q.why is not null
       and q.vector_model is distinct from ${model}
     order by q.asked_at desc, q.message_id desc limit ${most}`);
  return rows;
}

/** Null: it has none from this model. */
export async function writeVector(
  tx: Tx,
  { organizationId }: AgentKey,
  { id, model, vector }: { id: string; model: string; vector: Buffer | null },
): Promise<void> {
  await tx.execute(sql`update question q set vector = ${vector}, vector_model = ${model}
    where q.organization_id = ${organizationId} and q.message_id = ${id}`);
}

export interface MadeGroup {
  id: string;
  isNew: boolean;
  /** Groups merged into this one. */
  absorbed: string[];
  /** Questions, most typical first. */
  items: string[];
}

/**
 * False if groups have changed since they were read: then nothing may be written. Otherwise they don't change until
 * this transaction ends. Grouping stays due while there are ungrouped questions.
 */
export async function takeTurn(
  tx: Tx,
  { organizationId, agentId }: AgentKey,
  { revision, ms }: { revision: number; ms: number },
): Promise<boolean> {
  const taken = await tx
    .update(questionReading)
    .set({ revision: revision + 1, isDue: false, groupedAt: sql`now()`, groupedMs: Math.ceil(ms) })
    .where(
      and(
        eq(questionReading.organizationId, organizationId),
        eq(questionReading.agentId, agentId),
        eq(questionReading.revision, revision),
      ),
    )
    .returning({ agentId: questionReading.agentId });
  return taken.length > 0;
}

/** Records a manual change to the groups: a grouping in progress won't be written. */
export async function changeGroups(tx: Tx, { organizationId, agentId }: AgentKey): Promise<void> {
  await tx
    .update(questionReading)
    .set({ revision: sql`${questionReading.revision} + 1`, isDue: true })
    .where(and(eq(questionReading.organizationId, organizationId), eq(questionReading.agentId, agentId)));
}

/**
 * Questions in `seen` that are in none of these clusters are removed from theirs. Open clusters that become empty are
 * deleted.
 */
export async function writeClusters(
  tx: Tx,
  key: AgentKey,
  clusters: MadeGroup[],
  seen: string[],
): Promise<void> {
  const { organizationId, agentId } = key;
  const made = clusters.filter(({ isNew }) => isNew);
  if (made.length > 0)
    await tx.insert(questionCluster).values(made.map(({ id }) => ({ id, organizationId, agentId })));
  await moveQuestions(tx, key, 'cluster_id', clusters, seen);
  const typical = Object.fromEntries(clusters.map(({ id, items }) => [id, items[0] ?? null]));
  await tx.execute(sql`
    update question_cluster k set typical_id = m.id
      from message m where m.organization_id = k.organization_id and m.id = ${JSON.stringify(typical)}::jsonb ->> k.id
       and k.organization_id = ${organizationId} and k.agent_id = ${agentId} and k.typical_id is distinct from m.id`);
  await tx.execute(sql`
    delete from question_cluster k where k.organization_id = ${organizationId} and k.agent_id = ${agentId} and k.state = 'open'
       and not exists (select from question q where q.organization_id = ${organizationId} and q.cluster_id = k.id)`);
}

/** Empty topics stay if they are frozen or were named by a member. */
export async function writeTopics(
  tx: Tx,
  key: AgentKey,
  topics: (MadeGroup & { name: string })[],
  seen: string[],
): Promise<void> {
  const { organizationId, agentId } = key;
  const made = topics.filter(({ isNew }) => isNew);
  if (made.length > 0)
    await tx.insert(topic).values(made.map(({ id, name }) => ({ id, organizationId, agentId, name })));
  await moveQuestions(tx, key, 'topic_id', topics, seen);
  await stayDue(tx, key);
  const names = topics.map(({ id, name }) => ({ id, name }));
  await tx.execute(sql`
    update topic t set name = n.name from jsonb_to_recordset(${JSON.stringify(names)}::jsonb) as n(id text, name text)
     where t.organization_id = ${organizationId} and t.agent_id = ${agentId} and t.id = n.id and t.named = 'words' and not t.frozen
       and n.name <> '' and t.name <> n.name`);
  await tx.execute(sql`
    delete from topic t where t.organization_id = ${organizationId} and t.agent_id = ${agentId} and t.named <> 'member' and not t.frozen
       and not exists (select from question q where q.organization_id = ${organizationId} and q.topic_id = t.id)`);
}

/** There may be more questions than are compared at once. */
async function stayDue(tx: Tx, key: AgentKey): Promise<void> {
  const { organizationId, agentId } = key;
  await tx.execute(sql`
    update question_reading r set is_due = true where r.organization_id = ${organizationId} and r.agent_id = ${agentId}
       and exists (select from question q join conversation c on c.id = q.conversation_id and ${counted(key)}
                    where q.organization_id = ${organizationId} and q.agent_id = ${agentId} and q.is_settled and not q.is_grouped)`);
}

async function moveQuestions(
  tx: Tx,
  { organizationId, agentId }: AgentKey,
  column: 'cluster_id' | 'topic_id',
  groups: MadeGroup[],
  seen: string[],
): Promise<void> {
  const place = sql.raw(column);
  const absorbed = groups.flatMap(({ id, absorbed }) => absorbed.map((old) => ({ old, id })));
  // Including those too old to be compared.
  if (absorbed.length > 0)
    await tx.execute(sql`
      update question q set ${place} = g.id from jsonb_to_recordset(${JSON.stringify(absorbed)}::jsonb) as g(old text, id text)
       where q.organization_id = ${organizationId} and q.agent_id = ${agentId} and q.${place} = g.old`);
  const homes = Object.fromEntries(groups.flatMap(({ id, items }) => items.map((item) => [item, id])));
  const home = sql`(${JSON.stringify(homes)}::jsonb ->> q.message_id)`;
  // Looked up row by row: the database can't estimate the length of a joined list.
  await tx.execute(sql`
    update question q set ${place} = ${home}, is_grouped = true
     where q.organization_id = ${organizationId} and q.agent_id = ${agentId}
       and q.message_id = any(${sql.param(seen)}::text[])
       and (q.${place} is distinct from ${home} or not q.is_grouped)`);
}
