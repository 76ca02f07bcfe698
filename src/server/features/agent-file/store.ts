import { and, eq, sql } from 'drizzle-orm';
import type { AgentImport } from '../../../contract/agent-file.ts';
import { agentImport, upload } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';

/** Every statement on imports. */

export type StoredImport = typeof agentImport.$inferSelect;
export type ImportKey = Pick<StoredImport, 'id' | 'organizationId'>;
type Changes = Partial<
  Pick<StoredImport, 'state' | 'done' | 'total' | 'error' | 'madeAgentId' | 'storageKeys'>
>;

const is = ({ id, organizationId }: ImportKey) =>
  and(eq(agentImport.organizationId, organizationId), eq(agentImport.id, id));

export async function insertImport(tx: Tx, values: typeof agentImport.$inferInsert): Promise<StoredImport> {
  const [made] = await tx.insert(agentImport).values(values).returning();
  return made as StoredImport;
}

export async function findImport(tx: Tx, key: ImportKey): Promise<StoredImport | undefined> {
  const [found] = await tx.select().from(agentImport).where(is(key));
  return found;
}

/** Keys that leave the list are removed from storage, unless the import is `ready`. */
export async function updateImport(tx: Tx, key: ImportKey, changes: Changes): Promise<void> {
  await tx
    .update(agentImport)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(is(key));
}

/**
 * The agent exists and owns what was written for it. Errors: if another run has taken over the import because this one
 * seemed dead; then none of this run's work may remain.
 */
export async function finishImport(
  tx: Tx,
  key: ImportKey,
  { storageKeys, ...made }: Pick<StoredImport, 'storageKeys' | 'done' | 'madeAgentId'>,
): Promise<void> {
  const isOurs = sql`${agentImport.state} = 'reading' and ${agentImport.storageKeys} = ${JSON.stringify(storageKeys)}::jsonb`;
  const finished = await tx
    .update(agentImport)
    .set({ ...made, state: 'ready', storageKeys: [], updatedAt: sql`now()` })
    .where(and(is(key), isOurs))
    .returning({ id: agentImport.id });
  if (finished.length === 0) throw new Error('another run has taken over this import');
}

export async function findUpload(
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<{ sizeBytes: number } | undefined> {
  const [found] = await tx
    .select({ sizeBytes: upload.sizeBytes })
    .from(upload)
    .where(and(eq(upload.organizationId, organizationId), eq(upload.id, id)));
  return found;
}

export function importOf({
  id,
  state,
  done,
  total,
  error,
  madeAgentId,
  createdAt,
}: StoredImport): AgentImport {
  return { id, state, done, total, error, chatbotId: madeAgentId, createdAt: createdAt.toISOString() };
}
