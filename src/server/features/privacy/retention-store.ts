import { and, eq, sql, type SQL } from 'drizzle-orm';
import {
  DELETED_CONVERSATION_KEPT_MINUTES,
  TEMPORARY_CONVERSATION_KEPT_HOURS,
} from '../../../contract/limits.ts';
import type { RetentionPreview } from '../../../contract/privacy.ts';
import type { Agent } from '../../access/gate.ts';
import { agent } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';

type AgentKey = Pick<Agent, 'id' | 'organizationId'>;

export async function setRetention(
  tx: Tx,
  { id, organizationId }: AgentKey,
  retentionDays: number | null,
): Promise<void> {
  await tx
    .update(agent)
    .set({ retentionDays })
    .where(and(eq(agent.organizationId, organizationId), eq(agent.id, id)));
}

/** Temporary conversations expire by themselves, and sooner. */
export async function previewRetention(
  tx: Tx,
  { id, organizationId }: AgentKey,
  days: number,
): Promise<RetentionPreview> {
  const { rows } = await tx.execute<
    Omit<RetentionPreview, 'oldestKeptAt'> & { oldestKept: string | null } & Record<string, unknown>
  >(sql`
    with own as materialized (
      select c.id, c.user_id, c.updated_at, c.updated_at < now() - make_interval(days => ${days}) as goes from conversation c
       where c.organization_id = ${organizationId} and c.agent_id = ${id} and not c.temporary)
    select count(*) filter (where goes)::int as conversations,
      (select count(*)::int from message m join own on own.id = m.conversation_id and own.goes
        where m.organization_id = ${organizationId}) as messages,
      (select count(*)::int from attachment a join own on own.id = a.conversation_id and own.goes
        where a.organization_id = ${organizationId}) as files,
      (select count(*)::int from (select user_id from own group by user_id having bool_and(goes)) gone) as people,
      min(updated_at) filter (where not goes) as "oldestKept" from own`);
  const { conversations = 0, messages = 0, files = 0, people = 0, oldestKept = null } = rows[0] ?? {};
  const oldestKeptAt = oldestKept === null ? null : new Date(oldestKept).toISOString();
  return { conversations, messages, files, people, oldestKeptAt };
}

/**
 * Collects, as for an erasure, expired conversations of all agents: limited in number so that nobody waits for long,
 * and none with an answer in progress. Returns the count.
 */
export function collectOver(tx: Tx, atMost: number): Promise<number> {
  const isOver = sql`a.retention_days is not null and c.updated_at < now() - make_interval(days => a.retention_days)`;
  return collect(tx, isOver, atMost);
}

/** The same for deleted conversations that were not restored in time, and for expired temporary ones. */
export function collectDeleted(tx: Tx, atMost: number): Promise<number> {
  const isGone = sql`c.deleted_at < now() - make_interval(mins => ${DELETED_CONVERSATION_KEPT_MINUTES})`;
  const isOver = sql`c.temporary and c.updated_at < now() - make_interval(hours => ${TEMPORARY_CONVERSATION_KEPT_HOURS})`;
  return collect(tx, sql`(${isGone} or (${isOver}))`, atMost);
}

async function collect(tx: Tx, which: SQL, atMost: number): Promise<number> {
  const { rowCount } = await tx.execute(sql`create temp table erased_conversation on commit drop as
    select c.id, c.organization_id from conversation c join agent a on a.id = c.agent_id and a.organization_id = c.organization_id
     where ${which} and c.answering is null limit ${atMost} for update of c skip locked`);
  return rowCount ?? 0;
}

/** Whether a question `q` was asked in a collected conversation. */
export const askedInThem = (): SQL =>
  sql`exists (select from erased_conversation e where e.id = q.conversation_id and e.organization_id = q.organization_id)`;
