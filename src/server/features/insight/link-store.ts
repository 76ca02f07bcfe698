import { and, count, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { agent, insightLink } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';
import type { AgentKey } from './counting.ts';

export type StoredInsightLink = typeof insightLink.$inferSelect;

const ofAgent = ({ organizationId, agentId }: AgentKey) =>
  and(eq(insightLink.organizationId, organizationId), eq(insightLink.agentId, agentId));

export async function listLinks(tx: Tx, key: AgentKey): Promise<StoredInsightLink[]> {
  return tx
    .select()
    .from(insightLink)
    .where(ofAgent(key))
    .orderBy(desc(insightLink.createdAt), desc(insightLink.id));
}

/** Concurrent counts for this agent wait until this transaction ends, so that the number stays correct. */
export async function countLinks(tx: Tx, { organizationId, agentId }: AgentKey): Promise<number> {
  await tx
    .select({ id: agent.id })
    .from(agent)
    .where(and(eq(agent.organizationId, organizationId), eq(agent.id, agentId)))
    .for('no key update');
  const [row] = await tx
    .select({ links: count() })
    .from(insightLink)
    .where(ofAgent({ organizationId, agentId }));
  return row?.links ?? 0;
}

export async function insertLink(
  tx: Tx,
  values: Pick<StoredInsightLink, 'organizationId' | 'agentId' | 'name' | 'tokenHash' | 'expiresAt'>,
): Promise<StoredInsightLink> {
  const [made] = await tx
    .insert(insightLink)
    .values({ id: newId('insightLink'), ...values })
    .returning();
  return made as StoredInsightLink;
}

/** Undefined if there is none. */
export async function removeLink(tx: Tx, key: AgentKey, id: string): Promise<StoredInsightLink | undefined> {
  const [gone] = await tx
    .delete(insightLink)
    .where(and(ofAgent(key), eq(insightLink.id, id)))
    .returning();
  return gone;
}

/** The agent whose numbers a link currently shows; undefined if it shows none. */
export async function findShown(
  tx: Tx,
  organizationId: string,
  tokenHash: string,
): Promise<{ id: string; name: string } | undefined> {
  const [found] = await tx
    .select({ id: agent.id, name: agent.name })
    .from(insightLink)
    .innerJoin(
      agent,
      and(eq(agent.id, insightLink.agentId), eq(agent.organizationId, insightLink.organizationId)),
    )
    .where(
      and(
        eq(insightLink.organizationId, organizationId),
        eq(insightLink.tokenHash, tokenHash),
        or(isNull(insightLink.expiresAt), gt(insightLink.expiresAt, sql`now()`)),
        isNull(agent.deletedAt),
      ),
    );
  return found;
}
