import { and, eq, isNull, sql } from 'drizzle-orm';
import { SILENT_VISITOR_KEPT_HOURS } from '../../../contract/limits.ts';
import type { Agent } from '../../access/gate.ts';
import { agent, agentAccess } from '../../db/schema/index.ts';
import type { Database, Tx } from '../../db/scope.ts';

export type StoredAccess = typeof agentAccess.$inferSelect;
export type AccessChanges = Partial<
  Pick<StoredAccess, 'embedSecret' | 'embedPublicKey' | 'apiKeyHash' | 'apiKeyPreview'>
>;

/** By ID or handle; undefined if deleted. */
export async function findAgent(
  tx: Tx,
  organizationId: string,
  idOrHandle: string,
): Promise<Agent | undefined> {
  const isIt = eq(idOrHandle.startsWith('agt_') ? agent.id : agent.handle, idOrHandle);
  const [found] = await tx
    .select()
    .from(agent)
    .where(and(isIt, eq(agent.organizationId, organizationId), isNull(agent.deletedAt)));
  return found;
}

export async function findAccess(
  tx: Tx,
  organizationId: string,
  agentId: string,
): Promise<StoredAccess | undefined> {
  const [found] = await tx
    .select()
    .from(agentAccess)
    .where(and(eq(agentAccess.agentId, agentId), eq(agentAccess.organizationId, organizationId)));
  return found;
}

export async function saveAccess(
  tx: Tx,
  organizationId: string,
  agentId: string,
  changes: AccessChanges,
): Promise<StoredAccess> {
  const [saved] = await tx
    .insert(agentAccess)
    .values({ agentId, organizationId, ...changes })
    .onConflictDoUpdate({ target: agentAccess.agentId, set: { ...changes, updatedAt: sql`now()` } })
    .returning();
  return saved as StoredAccess;
}

/**
 * Forgets visitors who never began a conversation or a purchase, so that passers-by leave nothing behind, and
 * allowances that are free again. A person who writes in a channel stays as long as one of their threads leads to a
 * conversation (including one from our own pages that continues by email), and as long as something they wrote is
 * waiting. Runs as the owner because it covers every organization.
 */
export async function forgetIdle({ owner }: Pick<Database, 'owner'>): Promise<void> {
  await owner.query(
    `delete from visitor v where last_seen_at < now() - make_interval(hours => $1)
       and not exists (select from conversation c where c.user_id = v.user_id)
       and not exists (select from purchase p where p.user_id = v.user_id)
       and not exists (select from channel_thread t where t.visitor_id = v.id and (t.conversation_id is not null
         or exists (select from channel_message m where m.thread_id = t.id and m.state in ('received', 'answering'))))`,
    [SILENT_VISITOR_KEPT_HOURS],
  );
  await owner.query('delete from allowance where expires_at < now()');
}
