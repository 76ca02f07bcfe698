import type pg from 'pg';
import { inTransaction } from '../db/as-owner.ts';
import type { Storage } from './storage.ts';

/** Held exclusively during a backup, shared while bytes are removed. The number only has to be unique to us. */
export const BACKUP_LOCK = 7_210_005;

/** False during a backup. None begins until the transaction ends. */
export async function mayRemoveBytes(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>(
    'select pg_try_advisory_xact_lock_shared($1) as free',
    [BACKUP_LOCK],
  );
  return rows[0]?.free ?? false;
}

/** The same storage, but nothing is removed during a backup: its rows may still refer to it. Removal happens afterwards. */
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
