import { and, desc, eq, isNull, lt, ne, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { DATA_EXPORT_KEPT_HOURS } from '../../../contract/limits.ts';
import type { DataExport } from '../../../contract/privacy.ts';
import { dataExport } from '../../db/schema/index.ts';
import type { Database, Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';

export type StoredExport = typeof dataExport.$inferSelect;

/** Who requested it, and what it covers. */
export type ExportKey = Pick<StoredExport, 'userId' | 'ofOrganization'>;

const isOf = ({ userId, ofOrganization }: ExportKey) =>
  and(
    eq(dataExport.userId, userId),
    ofOrganization === null
      ? isNull(dataExport.ofOrganization)
      : eq(dataExport.ofOrganization, ofOrganization),
  );

/** One in progress is returned again; others for the same scope are deleted, with their bytes. */
export async function beginExport(tx: Tx, key: ExportKey): Promise<{ stored: StoredExport; isNew: boolean }> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`export ${key.userId}`}, 0))`);
  const running = await findNewest(tx, key);
  if (running?.state === 'queued' || running?.state === 'writing') return { stored: running, isNew: false };
  await tx.delete(dataExport).where(isOf(key));
  const expiresAt = sql`now() + make_interval(hours => ${DATA_EXPORT_KEPT_HOURS})` as never;
  const [stored] = await tx
    .insert(dataExport)
    .values({ id: newId('dataExport'), ...key, expiresAt })
    .returning();
  return { stored: stored as StoredExport, isNew: true };
}

export async function findNewest(tx: NodePgDatabase, key: ExportKey): Promise<StoredExport | undefined> {
  const [found] = await tx
    .select()
    .from(dataExport)
    .where(and(isOf(key), sql`${dataExport.expiresAt} > now()`))
    .orderBy(desc(dataExport.createdAt))
    .limit(1);
  return found;
}

export async function findExport(tx: NodePgDatabase, id: string): Promise<StoredExport | undefined> {
  const [found] = await tx.select().from(dataExport).where(eq(dataExport.id, id));
  return found;
}

/** By the person who requested it, once it is complete and until it expires. */
export function isReadable({ userId, state, storageKey, expiresAt }: StoredExport, reader: string): boolean {
  return userId === reader && state === 'ready' && storageKey !== null && expiresAt.getTime() > Date.now();
}

/** False if it is no longer wanted, or another run has taken it over. */
export async function updateExport(
  tx: NodePgDatabase,
  id: string,
  changes: Partial<Pick<StoredExport, 'state' | 'done' | 'total' | 'bytes' | 'storageKey'>>,
  storageKey?: string,
): Promise<boolean> {
  const isOurs = storageKey === undefined ? undefined : eq(dataExport.storageKey, storageKey);
  const changed = await tx
    .update(dataExport)
    .set(changes)
    .where(and(eq(dataExport.id, id), ne(dataExport.state, 'ready'), isOurs))
    .returning({ id: dataExport.id });
  return changed.length > 0;
}

/** Deletes expired ones; everyone's. */
export async function forgetExports({ unscoped }: Pick<Database, 'unscoped'>): Promise<void> {
  await unscoped.delete(dataExport).where(lt(dataExport.expiresAt, sql`now()`));
}

export function exportOf({ id, state, done, total, bytes, createdAt, expiresAt }: StoredExport): DataExport {
  return {
    id,
    state,
    done,
    total,
    bytes,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
