import type pg from 'pg';
import { inTransaction } from '../db/as-owner.ts';
import type { Storage } from './storage.ts';

/** Held alone while a backup is made, shared while bytes are removed. The number only has to be ours. */
export const BACKUP_LOCK = 7_210_005;

/** False while a backup is made. Until the transaction ends none begins. */
export async function mayRemoveBytes(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>(
    'select pg_try_advisory_xact_lock_shared($1) as free',
    [BACKUP_LOCK],
  );
  return rows[0]?.free ?? false;
}

/** The same storage, from which nothing goes while a backup is made: rows of the backup may still name it. It goes afterwards. */
export function keptForBackups(storage: Storage, owner: pg.Pool): Storage {
  const removing = (remove: (key: string) => Promise<void>) => (key: string) =>
    inTransaction(owner, async (client) => {
      if (await mayRemoveBytes(client)) return remove(key);
      const noting = 'insert into removed_bytes (storage_key) values ($1) on conflict do nothing';
      await client.query(noting, [key]);
    });
  const { drafts } = storage;
  return {
    ...storage,
    remove: removing((key) => storage.remove(key)),
    drafts: { ...drafts, remove: removing((key) => drafts.remove(key)) },
  };
}
