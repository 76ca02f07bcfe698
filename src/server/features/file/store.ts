import { and, eq, inArray } from 'drizzle-orm';
import { file } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';

export type StoredFile = typeof file.$inferSelect;

export async function insertFile(tx: Tx, values: typeof file.$inferInsert): Promise<StoredFile> {
  const [made] = await tx.insert(file).values(values).returning();
  return made as StoredFile;
}

/** Those of the files that exist in this organization, in no certain order. */
export async function findFiles(tx: Tx, organizationId: string, ids: string[]): Promise<StoredFile[]> {
  return tx
    .select()
    .from(file)
    .where(and(eq(file.organizationId, organizationId), inArray(file.id, ids)));
}

/** The key under which the bytes are kept, for the caller to remove them after the commit; undefined when there was no such file. */
export async function deleteFile(tx: Tx, organizationId: string, id: string): Promise<string | undefined> {
  const [gone] = await tx
    .delete(file)
    .where(and(eq(file.organizationId, organizationId), eq(file.id, id)))
    .returning({ storageKey: file.storageKey });
  return gone?.storageKey;
}
