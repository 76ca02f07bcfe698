import { inTransaction } from '../../db/as-owner.ts';
import type { Deps } from '../../deps.ts';
import { mayRemoveBytes } from '../../storage/backup-lock.ts';

/** How often to look for bytes whose rows have been deleted. */
export const REMOVED_BYTES_SWEEP_MS = 2000;
const AT_ONCE = 100;

/** An idle transaction is ended after a while: anything not removed by then is left for the next time. */
const REMOVING_MS = 15_000;

/**
 * Removes bytes from storage that no row refers to any more. An entry is deleted after its bytes, so that a crash in
 * between only means a redundant removal; several processes share the work. Returns how many there were.
 */
export async function sweepRemovedBytes({ db, storage }: Pick<Deps, 'db' | 'storage'>): Promise<number> {
  return inTransaction(db.boundedOwner, async (client) => {
    if (!(await mayRemoveBytes(client))) return 0;
    const { rows } = await client.query<{ key: string }>(
      `select storage_key as key from removed_bytes order by removed_at limit ${AT_ONCE} for update skip locked`,
    );
    const removed: string[] = [];
    const until = performance.now() + REMOVING_MS;
    for (const { key } of rows) {
      await (key.startsWith('upl_') ? storage.drafts : storage).remove(key);
      removed.push(key);
      if (performance.now() > until) break;
    }
    await client.query('delete from removed_bytes where storage_key = any($1)', [removed]);
    return removed.length;
  });
}
