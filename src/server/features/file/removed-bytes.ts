import type { Deps } from '../../deps.ts';
import { mayRemoveBytes } from '../../storage/backup-lock.ts';

/** How often it is looked for bytes whose rows have been deleted. */
export const REMOVED_BYTES_SWEEP_MS = 2000;
const AT_ONCE = 100;

/**
 * Removes from the storage what no row names any more. An entry goes after its bytes, so that a crash in between only
 * means removing nothing once more; several processes share the work. Returns how many there were.
 */
export async function sweepRemovedBytes({ db, storage }: Pick<Deps, 'db' | 'storage'>): Promise<number> {
  const client = await db.owner.connect();
  try {
    await client.query('begin');
    if (!(await mayRemoveBytes(client))) {
      await client.query('rollback');
      return 0;
    }
    const { rows } = await client.query<{ key: string }>(
      `select storage_key as key from removed_bytes order by removed_at limit ${AT_ONCE} for update skip locked`,
    );
    for (const { key } of rows) await (key.startsWith('upl_') ? storage.drafts : storage).remove(key);
    await client.query('delete from removed_bytes where storage_key = any($1)', [rows.map(({ key }) => key)]);
    await client.query('commit');
    return rows.length;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}
