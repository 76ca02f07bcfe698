import { and, desc, eq, gt, isNotNull, sql, type SQL } from 'drizzle-orm';
import type { DeletedChatbot } from '../../../contract/agent-file.ts';
import { DELETED_AGENT_KEPT_DAYS } from '../../../contract/limits.ts';
import type { Agent } from '../../access/gate.ts';
import { agent } from '../../db/schema/index.ts';
import { speakFor, type Tx } from '../../db/scope.ts';

/** Every statement on agents in the trash, and on moving them to another organization. */

const DAY_MS = 86_400_000;

/** Deleted, but not so long ago that it may be purged at any moment. */
const isInTrash = (organizationId: string): SQL | undefined =>
  and(
    eq(agent.organizationId, organizationId),
    isNotNull(agent.deletedAt),
    gt(agent.deletedAt, sql`now() - make_interval(days => ${DELETED_AGENT_KEPT_DAYS}::int)`),
  );

/** Most recently deleted first. */
export async function listDeleted(
  tx: Tx,
  organizationId: string,
  seen: SQL | undefined,
): Promise<DeletedChatbot[]> {
  const { id, name, profilePhoto, deletedAt } = agent;
  const rows = await tx
    .select({ id, name, profilePhoto, deletedAt })
    .from(agent)
    .where(and(isInTrash(organizationId), seen))
    .orderBy(desc(agent.deletedAt), desc(agent.id));
  return rows.flatMap(({ deletedAt, ...row }) => {
    if (!deletedAt) return [];
    const purgedAt = new Date(deletedAt.getTime() + DELETED_AGENT_KEPT_DAYS * DAY_MS);
    return [{ ...row, deletedAt: deletedAt.toISOString(), purgedAt: purgedAt.toISOString() }];
  });
}

/** False if there is no such agent in the trash. */
export async function restoreAgent(
  tx: Tx,
  organizationId: string,
  id: string,
  seen: SQL | undefined,
): Promise<boolean> {
  const restored = await tx
    .update(agent)
    .set({ deletedAt: null, updatedAt: sql`now()` })
    .where(and(isInTrash(organizationId), eq(agent.id, id), seen))
    .returning({ id: agent.id });
  return restored.length > 0;
}

/** Whether another agent was also given one of this agent's files: a file belongs to one organization. */
export async function sharesFiles(tx: Tx, { id, organizationId }: Agent): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    select 1 from source mine join source other on other.file_id = mine.file_id and other.agent_id <> mine.agent_id
     where mine.organization_id = ${organizationId} and mine.agent_id = ${id} limit 1`);
  return rows.length > 0;
}

/** In bytes; 0 without files. */
export async function largestFileOf(tx: Tx, organizationId: string, agentId: string): Promise<number> {
  const { rows } = await tx.execute<{ bytes: number }>(sql`
    select coalesce(max(f.size_bytes), 0)::float8 as bytes from source s
      join file f on f.id = s.file_id and f.organization_id = s.organization_id
     where s.organization_id = ${organizationId} and s.agent_id = ${agentId}`);
  return rows[0]?.bytes ?? 0;
}

/**
 * Moves everything that belongs to the agent to the other organization, which the transaction acts for from then on.
 * Returns the items with sources that are still to be read.
 */
export async function moveAgent(tx: Tx, { id, organizationId }: Agent, to: string): Promise<string[]> {
  await tx.execute(sql`select move_agent(${id}, ${organizationId}, ${to})`);
  await speakFor(tx, to);
  const { rows } = await tx.execute<{ id: string }>(sql`
    select k.id from knowledge k where k.organization_id = ${to} and k.agent_id = ${id}
       and (k.state not in ('ready', 'failed') or exists (select 1 from knowledge_revision r
         where r.organization_id = ${to} and r.knowledge_id = k.id and r.state = 'building'))`);
  return rows.map((row) => row.id);
}
