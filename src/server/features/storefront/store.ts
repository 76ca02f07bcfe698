import { and, eq, sql } from 'drizzle-orm';
import type { StorefrontConfig } from '../../../contract/storefront.ts';
import type { Agent } from '../../access/gate.ts';
import { theOne } from '../../db/rows.ts';
import { agent, storefront } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';

export type StoredStorefront = typeof storefront.$inferSelect;

type Key = Pick<StoredStorefront, 'organizationId' | 'id'>;

const isIt = ({ organizationId, id }: Key) =>
  and(eq(storefront.organizationId, organizationId), eq(storefront.id, id));

export async function findOfAgent(
  tx: Tx,
  { organizationId, id }: Pick<Agent, 'organizationId' | 'id'>,
): Promise<StoredStorefront | undefined> {
  const [found] = await tx
    .select()
    .from(storefront)
    .where(and(eq(storefront.organizationId, organizationId), eq(storefront.agentId, id)));
  return found;
}

export async function findStorefront(tx: Tx, key: Key): Promise<StoredStorefront | undefined> {
  const [found] = await tx.select().from(storefront).where(isIt(key));
  return found;
}

/** The same for a change: nobody else changes it until this transaction ends. */
export async function lockStorefront(tx: Tx, key: Key): Promise<StoredStorefront | undefined> {
  const [found] = await tx.select().from(storefront).where(isIt(key)).for('no key update');
  return found;
}

/** Undefined if the agent already has one. */
export async function insertStorefront(
  tx: Tx,
  { organizationId, id: agentId }: Pick<Agent, 'organizationId' | 'id'>,
  draft: StorefrontConfig,
): Promise<StoredStorefront | undefined> {
  const [made] = await tx
    .insert(storefront)
    .values({ id: newId('storefront'), organizationId, agentId, draft })
    .onConflictDoNothing()
    .returning();
  return made;
}

/** Counts as a save. */
export async function saveDraft(tx: Tx, key: Key, draft: StorefrontConfig): Promise<StoredStorefront> {
  return change(tx, key, { draft, revision: sql`${storefront.revision} + 1` });
}

export async function publishDraft(tx: Tx, key: Key): Promise<StoredStorefront> {
  return change(tx, key, {
    published: sql`${storefront.draft}`,
    publishedRevision: sql`${storefront.revision}`,
    publishedAt: sql`now()`,
  });
}

export async function takeOff(tx: Tx, key: Key): Promise<StoredStorefront> {
  return change(tx, key, { published: null, publishedRevision: null, publishedAt: null });
}

async function change(
  tx: Tx,
  key: Key,
  changes: Parameters<ReturnType<typeof tx.update<typeof storefront>>['set']>[0],
): Promise<StoredStorefront> {
  const changed = await tx
    .update(storefront)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(isIt(key))
    .returning();
  return theOne(changed);
}

/** What everyone may see: a public agent's storefront, by handle, once published. */
export async function findPublished(
  tx: Tx,
  organizationId: string,
  handle: string,
): Promise<{ agent: Agent; config: StorefrontConfig } | undefined> {
  const [found] = await tx
    .select({ agent, config: storefront.published })
    .from(storefront)
    .innerJoin(
      agent,
      and(eq(agent.id, storefront.agentId), eq(agent.organizationId, storefront.organizationId)),
    )
    .where(
      and(
        eq(storefront.organizationId, organizationId),
        eq(agent.handle, handle),
        eq(agent.isPublic, true),
        sql`${agent.deletedAt} is null`,
      ),
    );
  return found?.config ? { agent: found.agent, config: found.config } : undefined;
}
