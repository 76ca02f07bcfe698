import { sql } from 'drizzle-orm';
import { agentImage, file, knowledge, knowledgeRevision, source, upload } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';

/** Every statement that writes an agent from its file. */

/** The number of parameters per statement is limited. */
const ROWS_AT_ONCE = 1000;

export async function insertFiles(tx: Tx, rows: (typeof file.$inferInsert)[]): Promise<void> {
  for (const some of portions(rows)) await tx.insert(file).values(some);
}

export async function insertItems(tx: Tx, rows: (typeof knowledge.$inferInsert)[]): Promise<void> {
  for (const some of portions(rows)) await tx.insert(knowledge).values(some);
}

export async function insertRevisions(
  tx: Tx,
  rows: (typeof knowledgeRevision.$inferInsert)[],
): Promise<void> {
  for (const some of portions(rows)) await tx.insert(knowledgeRevision).values(some);
}

export async function insertSource(tx: Tx, row: typeof source.$inferInsert): Promise<void> {
  await tx.insert(source).values(row);
}

export async function insertImages(tx: Tx, rows: (typeof agentImage.$inferInsert)[]): Promise<void> {
  for (const some of portions(rows)) await tx.insert(agentImage).values(some);
}

export async function deleteUpload(tx: Tx, organizationId: string, id: string): Promise<void> {
  await tx.delete(upload).where(sql`${upload.organizationId} = ${organizationId} and ${upload.id} = ${id}`);
}

function portions<T>(rows: T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / ROWS_AT_ONCE) }, (_, at) =>
    rows.slice(at * ROWS_AT_ONCE, (at + 1) * ROWS_AT_ONCE),
  );
}
