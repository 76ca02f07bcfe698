import { and, eq, sql } from 'drizzle-orm';
import type { Topic } from '../../../contract/improvement.ts';
import { TOPICS_SHOWN } from '../../../contract/limits.ts';
import { topic } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import type { AgentKey } from './keys.ts';
import { counted } from './reading-store.ts';

export type StoredTopic = typeof topic.$inferSelect;

/** Largest first, over the last number of days, with the total number of questions. */
export async function listShares(
  tx: Tx,
  key: AgentKey,
  days: number,
): Promise<{ topics: Topic[]; questions: number }> {
  const { organizationId, agentId } = key;
  const { rows } = await tx.execute<Omit<Topic, 'share'> & Record<string, unknown>>(sql`
    with asked as (
      select q.topic_id, count(*)::int as count, count(q.why)::int as unanswered
        from question q join conversation c on c.id = q.conversation_id and ${counted(key)}
       where q.organization_id = ${organizationId} and q.agent_id = ${agentId} and q.is_settled
         and q.asked_at > now() - make_interval(days => ${days})
       group by q.topic_id)
    select t.id, t.name, t.named, t.frozen, coalesce(a.count, 0) as count, coalesce(a.unanswered, 0) as unanswered,
           (select coalesce(sum(count), 0)::int from asked) as questions
      from topic t full join asked a on a.topic_id = t.id
     where t.id is null or (t.organization_id = ${organizationId} and t.agent_id = ${agentId})
     order by count desc, t.id limit ${TOPICS_SHOWN + 1}`);
  const questions = Number(rows[0]?.['questions'] ?? 0);
  return {
    questions,
    topics: rows
      .filter(({ id }) => id !== null)
      .map(({ id, name, named, frozen, count, unanswered }) => ({
        id,
        name,
        named,
        frozen,
        count,
        unanswered,
        share: questions === 0 ? 0 : count / questions,
      })),
  };
}

const isIt = ({ organizationId, agentId }: AgentKey, id: string) =>
  and(eq(topic.organizationId, organizationId), eq(topic.agentId, agentId), eq(topic.id, id));

export async function lockTopic(tx: Tx, key: AgentKey, id: string): Promise<StoredTopic | undefined> {
  const [found] = await tx.select().from(topic).where(isIt(key, id)).for('update');
  return found;
}

export async function updateTopic(
  tx: Tx,
  key: AgentKey,
  id: string,
  changes: Partial<Pick<StoredTopic, 'name' | 'named' | 'frozen'>>,
): Promise<void> {
  await tx.update(topic).set(changes).where(isIt(key, id));
}

/** All questions of one become questions of the other, and the first is deleted. */
export async function mergeTopics(tx: Tx, key: AgentKey, from: string, into: string): Promise<void> {
  const { organizationId, agentId } = key;
  await tx.execute(sql`update question q set topic_id = ${into}
    where q.organization_id = ${organizationId} and q.agent_id = ${agentId} and q.topic_id = ${from}`);
  await tx.delete(topic).where(isIt(key, from));
}

/** Topics that a model may name, with some of their questions; each from more than one conversation. */
export async function listToName(
  tx: Tx,
  key: AgentKey,
  samples: number,
): Promise<{ id: string; name: string; samples: string[] }[]> {
  const { organizationId, agentId } = key;
  const { rows } = await tx.execute<{ id: string; name: string; samples: string[] }>(sql`
    select t.id, t.name, array(
        select q.text from question q join conversation c on c.id = q.conversation_id and ${counted(key)}
         where q.organization_id = ${organizationId} and q.topic_id = t.id order by q.asked_at desc limit ${samples}) as samples
      from topic t where t.organization_id = ${organizationId} and t.agent_id = ${agentId} and t.named <> 'member' and not t.frozen
       and exists (select from question q where q.organization_id = ${organizationId} and q.topic_id = t.id)
     order by t.id limit ${TOPICS_SHOWN}`);
  return rows;
}

/** Whether all of these questions still exist. */
export async function areStillAsked(
  tx: Tx,
  { organizationId, agentId }: AgentKey,
  texts: string[],
): Promise<boolean> {
  const { rows } = await tx.execute<{ known: number }>(sql`
    select count(distinct q.text)::int as known from question q
     where q.organization_id = ${organizationId} and q.agent_id = ${agentId} and q.text = any(${sql.param(texts)}::text[])`);
  return rows[0]?.known === new Set(texts).size;
}
