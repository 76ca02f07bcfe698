import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import { rowsOf, type Part } from '../../cursor.ts';
import { apiKey } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';

export type StoredKey = typeof apiKey.$inferSelect;

/** Valid ones, newest first. */
export async function listKeys(tx: Tx, organizationId: string, part: Part): Promise<StoredKey[]> {
  const older = part.after === undefined ? undefined : lt(apiKey.id, part.after);
  return tx
    .select()
    .from(apiKey)
    .where(and(eq(apiKey.organizationId, organizationId), isNull(apiKey.revokedAt), older))
    .orderBy(desc(apiKey.id))
    .limit(rowsOf(part));
}

export async function insertKey(
  tx: Tx,
  values: Omit<typeof apiKey.$inferInsert, 'id' | 'createdAt' | 'lastUsedAt' | 'revokedAt'>,
): Promise<StoredKey> {
  const [made] = await tx
    .insert(apiKey)
    .values({ id: newId('apiKey'), ...values })
    .returning();
  return made as StoredKey;
}

/** Undefined if there is no such valid key. */
export async function revokeKey(tx: Tx, organizationId: string, id: string): Promise<StoredKey | undefined> {
  const [gone] = await tx
    .update(apiKey)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(apiKey.id, id), eq(apiKey.organizationId, organizationId), isNull(apiKey.revokedAt)))
    .returning();
  return gone;
}

/** Members who may no longer issue keys lose the ones they issued. */
export async function revokeKeysOf(tx: Tx, organizationId: string, userId: string): Promise<void> {
  await tx
    .update(apiKey)
    .set({ revokedAt: sql`now()` })
    .where(
      and(eq(apiKey.organizationId, organizationId), eq(apiKey.createdBy, userId), isNull(apiKey.revokedAt)),
    );
}
