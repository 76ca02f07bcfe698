import { and, count, eq, gt, isNull, sql, sum } from 'drizzle-orm';
import { upload } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';

export type StoredUpload = typeof upload.$inferSelect;

export async function insertUpload(tx: Tx, values: typeof upload.$inferInsert): Promise<StoredUpload> {
  const [made] = await tx.insert(upload).values(values).returning();
  return made as StoredUpload;
}

export async function findUpload(
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<StoredUpload | undefined> {
  const [found] = await tx.select().from(upload).where(isIt(organizationId, id));
  return found;
}

/** Uploads that may still become files, and their total size. */
export async function sumOpenUploads(
  tx: Tx,
  organizationId: string,
): Promise<{ uploads: number; bytes: number }> {
  const isOpen = and(isNull(upload.fileId), gt(upload.expiresAt, sql`now()`));
  const [found] = await tx
    .select({ uploads: count(), bytes: sum(upload.sizeBytes).mapWith(Number) })
    .from(upload)
    .where(and(eq(upload.organizationId, organizationId), isOpen));
  return { uploads: found?.uploads ?? 0, bytes: found?.bytes ?? 0 };
}

/** Counts stored bytes; false if someone else has counted some since, or the upload has ended. */
export async function advanceUpload(
  tx: Tx,
  { organizationId, id }: StoredUpload,
  from: number,
  to: number,
): Promise<boolean> {
  const advanced = await tx
    .update(upload)
    .set({ receivedBytes: to })
    .where(and(isIt(organizationId, id), eq(upload.receivedBytes, from), isNull(upload.fileId)))
    .returning({ id: upload.id });
  return advanced.length > 0;
}

export async function uploadBecame(
  tx: Tx,
  { organizationId, id }: StoredUpload,
  fileId: string,
): Promise<void> {
  await tx.update(upload).set({ fileId }).where(isIt(organizationId, id));
}

export async function deleteUpload(tx: Tx, organizationId: string, id: string): Promise<void> {
  await tx.delete(upload).where(isIt(organizationId, id));
}

function isIt(organizationId: string, id: string) {
  return and(eq(upload.organizationId, organizationId), eq(upload.id, id));
}
