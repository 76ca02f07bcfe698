import { createHash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import type { FileReference } from '../../../contract/knowledge.ts';
import { inOrganization } from '../../access/gate.ts';
import { callerId, type MemberCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { fileTypeOf } from './file-type.ts';
import * as store from './store.ts';

interface NewFile {
  id: string;
  organizationId: string;
  name: string;
  data: Buffer;
}

/** Hashing proceeds in steps of this size, with other work served in between. */
const HASHED_AT_ONCE_BYTES = 4 * 1024 * 1024;

/**
 * Stores a file under its id, bytes first; `before` and `after` run in its row's transaction. If the row can't be
 * written, the bytes are removed again. Errors: `storage/file-type`, and those of `inOrganization`.
 */
export async function keepFile(
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  caller: MemberCaller,
  { id, organizationId, name, data }: NewFile,
  { before, after }: { before?: (tx: Tx) => Promise<void>; after?: (tx: Tx) => Promise<void> },
): Promise<FileReference> {
  const described = { id, name, mediaType: fileTypeOf(name, data), sizeBytes: data.length };
  const sha256 = await hashOf(data);
  await storage.put(id, data);
  // The role is checked again: it may have been revoked while the bytes were written.
  await inOrganization(db, caller, organizationId, 'agent.write', async (tx) => {
    const createdBy = callerId(caller);
    await before?.(tx);
    await store.insertFile(tx, { ...described, organizationId, sha256, storageKey: id, createdBy });
    await after?.(tx);
  }).catch(async (error: unknown) => {
    await storage.remove(id);
    throw error;
  });
  return described;
}

async function hashOf(data: Buffer): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < data.length; at += HASHED_AT_ONCE_BYTES) {
    hash.update(data.subarray(at, at + HASHED_AT_ONCE_BYTES));
    await breathe();
  }
  return hash.digest('hex');
}
