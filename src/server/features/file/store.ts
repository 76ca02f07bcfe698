import { and, eq, inArray } from 'drizzle-orm';
import { file } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';

export type StoredFile = typeof file.$inferSelect;

export async function insertFile(tx: Tx, values: typeof file.$inferInsert): Promise<StoredFile> {
  const [made] = await tx.insert(file).values(values).returning();
  return made as StoredFile;
}

/** Those of the files that exist in this organization, in no particular order. */
export async function findFiles(tx: Tx, organizationId: string, ids: string[]): Promise<StoredFile[]> {
  return tx
    .select()
    .from(file)
    .where(and(eq(file.organizationId, organizationId), inArray(file.id, ids)));
}
