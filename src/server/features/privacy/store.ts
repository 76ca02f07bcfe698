import { and, eq, isNull, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { conversation, erasure } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';

export type StoredErasure = typeof erasure.$inferSelect;

/** Returns an erasure already under way for the same target. */
export async function beginErasure(
  tx: Tx,
  { personId, ofAgent }: { personId: string; ofAgent: string | null },
): Promise<{ erasure: StoredErasure; isNew: boolean }> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`erasure ${personId}`}, 0))`);
  const isSame = ofAgent === null ? isNull(erasure.ofAgent) : eq(erasure.ofAgent, ofAgent);
  const [running] = await tx
    .select()
    .from(erasure)
    .where(and(eq(erasure.personId, personId), isSame));
  if (running) return { erasure: running, isNew: false };
  const scope = ofAgent === null ? 'account' : 'agent';
  const [made] = await tx
    .insert(erasure)
    .values({ id: newId('erasure'), scope, personId, ofAgent })
    .returning();
  return { erasure: made as StoredErasure, isNew: true };
}

/** Whether an agent holds anything of a person's. */
export async function hasTalked(
  tx: Tx,
  { organizationId, agentId }: { organizationId: string; agentId: string },
  userId: string,
): Promise<boolean> {
  const found = await tx
    .select({ id: conversation.id })
    .from(conversation)
    .where(
      and(
        eq(conversation.organizationId, organizationId),
        eq(conversation.agentId, agentId),
        eq(conversation.userId, userId),
      ),
    )
    .limit(1);
  return found.length > 0;
}

export async function findErasure(tx: NodePgDatabase, id: string): Promise<StoredErasure | undefined> {
  const [found] = await tx.select().from(erasure).where(eq(erasure.id, id));
  return found;
}

/** The lock is held until the transaction ends. */
export async function lockErasure(tx: Tx, id: string): Promise<StoredErasure | undefined> {
  const [found] = await tx.select().from(erasure).where(eq(erasure.id, id)).for('update');
  return found;
}

/** From now on it identifies nobody. */
export async function keepRowsGone(
  tx: Tx,
  id: string,
  what: Pick<StoredErasure, 'erased' | 'kept' | 'storageKeys'>,
): Promise<void> {
  await tx
    .update(erasure)
    .set({ ...what, personId: null, rowsGoneAt: sql`now()` })
    .where(eq(erasure.id, id));
}

/** Written once: a receipt is never reissued. */
export async function keepReceipt(
  tx: NodePgDatabase,
  id: string,
  { doneAt, receipt, publicKey }: Pick<StoredErasure, 'doneAt' | 'receipt' | 'publicKey'>,
): Promise<void> {
  await tx
    .update(erasure)
    .set({ doneAt, receipt, publicKey, storageKeys: [] })
    .where(and(eq(erasure.id, id), isNull(erasure.doneAt)));
}
