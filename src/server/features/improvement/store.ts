import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { AskedQuestion, ClusterState, QuestionCluster } from '../../../contract/improvement.ts';
import { CLUSTER_SAMPLES_SHOWN } from '../../../contract/limits.ts';
import { questionCluster } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { holdsAll, wordsOf } from '../../db/words.ts';
import type { AgentKey } from './keys.ts';
import { counted } from './reading-store.ts';

export type StoredCluster = typeof questionCluster.$inferSelect;

interface ClusterRow extends Record<string, unknown> {
  id: string;
  state: ClusterState;
  reason: string;
  title: string | null;
  count: number;
  firstAskedAt: string | null;
  lastAskedAt: string | null;
  languages: string[];
  knowledgeId: string | null;
  answeredAt: string | null;
  askedAgain: number;
  answeredAgain: number;
}

/** Clusters with their current questions: nothing from deleted conversations. */
const clusters = (key: AgentKey, which: SQL): SQL => {
  const { organizationId, agentId } = key;
  return sql`
    select k.id, k.state, k.reason, k.knowledge_id as "knowledgeId", k.answered_at as "answeredAt",
           coalesce(k.question, said.typical, said.newest) as title, said.count, said.languages,
           said.first as "firstAskedAt", said.last as "lastAskedAt", said.again as "askedAgain", said.known as "answeredAgain"
      from question_cluster k cross join lateral (
        select count(*) filter (where q.why is not null)::int as count,
               min(q.asked_at) filter (where q.why is not null) as first, max(q.asked_at) filter (where q.why is not null) as last,
               coalesce(array_agg(distinct q.language) filter (where q.language <> ''), '{}') as languages,
               max(q.text) filter (where q.message_id = k.typical_id) as typical,
               (array_agg(q.text order by q.asked_at desc))[1] as newest,
               count(*) filter (where q.asked_at > k.answered_at)::int as again,
               count(*) filter (where q.asked_at > k.answered_at and q.why is null)::int as known
          from question q join conversation c on c.id = q.conversation_id and ${counted(key)}
         where q.organization_id = ${organizationId} and q.cluster_id = k.id and q.is_settled) said
     where k.organization_id = ${organizationId} and k.agent_id = ${agentId} and ${which}`;
};

function clusterOf(row: ClusterRow): QuestionCluster {
  const { id, state, reason, title, count, languages, firstAskedAt, lastAskedAt } = row;
  const { knowledgeId, answeredAt, askedAgain, answeredAgain } = row;
  return {
    id,
    state,
    reason,
    title: title ?? '',
    count,
    languages,
    firstAskedAt: firstAskedAt && new Date(firstAskedAt).toISOString(),
    lastAskedAt: lastAskedAt && new Date(lastAskedAt).toISOString(),
    answer:
      state === 'answered' && answeredAt !== null
        ? { knowledgeId, approvedAt: new Date(answeredAt).toISOString(), askedAgain, answeredAgain }
        : null,
  };
}

/** Most asked first. A cluster without any questions left is hidden, unless it was answered. */
export async function listClusters(
  tx: Tx,
  key: AgentKey,
  {
    state,
    search,
    count,
    after,
  }: {
    state: ClusterState;
    search: string | undefined;
    count: number;
    after: { number: number; id: string } | undefined;
  },
): Promise<QuestionCluster[]> {
  const named = search ? sql`and ${holds(key, wordsOf(search))}` : sql``;
  const further = after ? sql`and (f.count, f.id) < (${after.number}, ${after.id})` : sql``;
  const { rows } = await tx.execute<ClusterRow>(sql`
    select * from (${clusters(key, sql`k.state = ${state}`)}) f where (f.count > 0 or f.state = 'answered') ${named} ${further}
     order by f.count desc, f.id desc limit ${count}`);
  return rows.map(clusterOf);
}

/** Matches the cluster `f` by its title, or by one of its questions. */
const holds = ({ organizationId }: AgentKey, words: string[]) =>
  sql`(${holdsAll(sql`f.title`, words)} or exists (select from question q
    where q.organization_id = ${organizationId} and q.cluster_id = f.id and ${holdsAll(sql`q.text`, words)}))`;

export async function findCluster(tx: Tx, key: AgentKey, id: string): Promise<QuestionCluster | undefined> {
  const { rows } = await tx.execute<ClusterRow>(clusters(key, sql`k.id = ${id}`));
  return rows[0] && clusterOf(rows[0]);
}

const isIt = ({ organizationId, agentId }: AgentKey, id: string) =>
  and(
    eq(questionCluster.organizationId, organizationId),
    eq(questionCluster.agentId, agentId),
    eq(questionCluster.id, id),
  );

export async function lockCluster(tx: Tx, key: AgentKey, id: string): Promise<StoredCluster | undefined> {
  const [found] = await tx.select().from(questionCluster).where(isIt(key, id)).for('update');
  return found;
}

export async function updateCluster(
  tx: Tx,
  key: AgentKey,
  id: string,
  changes: Partial<Omit<StoredCluster, 'id' | 'organizationId' | 'agentId'>>,
): Promise<void> {
  await tx.update(questionCluster).set(changes).where(isIt(key, id));
}

/** The newest unanswered ones, with the typical one before all others. */
export async function listSamples(tx: Tx, key: AgentKey, id: string): Promise<AskedQuestion[]> {
  const { organizationId } = key;
  const { rows } = await tx.execute<AskedQuestion & Record<string, unknown>>(sql`
    select q.message_id as "messageId", q.conversation_id as "conversationId", q.text, q.asked_at as "askedAt",
           q.language, q.why, q.confidence
      from question q join conversation c on c.id = q.conversation_id and ${counted(key)}
      join question_cluster k on k.id = q.cluster_id and k.organization_id = q.organization_id
     where q.organization_id = ${organizationId} and q.cluster_id = ${id} and q.why is not null and q.is_settled
     order by q.message_id is not distinct from k.typical_id desc, q.asked_at desc, q.message_id limit ${CLUSTER_SAMPLES_SHOWN}`);
  return rows.map((row) => ({ ...row, askedAt: new Date(row.askedAt).toISOString() }));
}
