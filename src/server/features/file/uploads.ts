import { may } from '../../../contract/access.ts';
import {
  AGENT_FILE_MAX_BYTES,
  KNOWLEDGE_FILE_MAX_BYTES,
  UPLOAD_LIFETIME_HOURS,
  UPLOADS_OPEN_MAX,
  UPLOADS_OPEN_MAX_BYTES,
} from '../../../contract/limits.ts';
import { inOrganization, inOrganizationAlone, organizationOf } from '../../access/gate.ts';
import { planOf, requireRoom, requireRoomLater, requireWithin } from '../../access/quota.ts';
import { AppError, invalidField, notFound } from '../../app-error.ts';
import { callerId, type MemberCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../id.ts';
import { fileNameOf } from './file-name.ts';
import * as store from './upload-store.ts';
import type { StoredUpload } from './upload-store.ts';

/** Bytes are stored and counted in pieces of about this size: the most an upload can lose in a crash. */
const PIECE_BYTES = 4 * 1024 * 1024;

interface NewUpload {
  organizationId: string;
  name: string;
  sizeBytes: number;
  /** `agent`: an agent as a file, which may be larger and doesn't become knowledge. */
  purpose?: 'agent' | undefined;
}

export type Uploads = ReturnType<typeof createUploads>;

/** Resumable uploads, from the first byte to the last. The transport isn't known here. */
export function createUploads(deps: Pick<Deps, 'config' | 'db' | 'storage' | 'jobs' | 'locks'>) {
  const { config, db, storage, jobs, locks } = deps;
  return {
    locks,

    /**
     * Reserves room for its declared size. Errors: 413, 402 by the plan, and `storage/uploads-full` when the
     * organization has too much in progress.
     */
    create: async (caller: MemberCaller, given: NewUpload): Promise<StoredUpload> => {
      requireSize(given);
      const { organizationId, sizeBytes } = given;
      return inOrganizationAlone(db, caller, organizationId, 'agent.write', async (tx) => {
        await requireRoomFor(tx, config, given);
        return store.insertUpload(tx, {
          id: newId('upload'),
          organizationId,
          createdBy: callerId(caller),
          name: fileNameOf(given.name),
          sizeBytes,
          expiresAt: new Date(Date.now() + UPLOAD_LIFETIME_HOURS * 3_600_000),
        });
      });
    },

    /**
     * The caller's own upload, as long as the caller may write in its organization. Errors: 404 for everyone else, 410
     * when it has expired.
     */
    find: async (caller: MemberCaller, id: string): Promise<StoredUpload> => {
      const organizationId = await organizationOf(db, 'upload', id);
      return inOrganization(db, caller, organizationId, 'organization.read', async (tx, { role }) => {
        const found = await store.findUpload(tx, organizationId, id);
        if (found?.createdBy !== callerId(caller)) throw notFound();
        if (!may(role, 'agent.write')) throw new AppError('auth/forbidden');
        if (found.expiresAt.getTime() <= Date.now()) throw new AppError('storage/upload-expired');
        return found;
      });
    },

    /**
     * Stores incoming bytes from offset `at` on, and returns the offset it reached. Anything received before the source
     * failed is kept. The caller holds the lock.
     */
    append: async (upload: StoredUpload, at: number, source: AsyncIterable<Uint8Array>): Promise<number> => {
      const keep = async (from: number, data: Uint8Array): Promise<void> => {
        await storage.drafts.append(upload.id, from, data);
        const isCounted = await db.in({ organizationId: upload.organizationId }, (tx) =>
          store.advanceUpload(tx, upload, from, from + data.length),
        );
        if (!isCounted) throw new AppError('storage/upload-offset');
      };
      return collect(at, source, keep);
    },

    remove: async ({ organizationId, id }: StoredUpload): Promise<void> => {
      await db.in({ organizationId }, async (tx) => {
        await store.deleteUpload(tx, organizationId, id);
        await jobs.enqueue(tx, 'upload.remove', { uploadId: id });
      });
    },
  };
}

/** Errors: 402 by the plan, 429. */
async function requireRoomFor(
  tx: Tx,
  config: Deps['config'],
  { organizationId, sizeBytes, purpose }: NewUpload,
): Promise<void> {
  const open = await store.sumOpenUploads(tx, organizationId);
  if (open.uploads >= UPLOADS_OPEN_MAX || open.bytes + sizeBytes > UPLOADS_OPEN_MAX_BYTES)
    throw new AppError('storage/uploads-full', undefined, { retryAfterSeconds: 60 });
  if (purpose === 'agent') {
    // Told before a large file is sent, and not afterwards.
    await requireRoomLater(tx, config, organizationId, 'agents');
  } else {
    const plan = await planOf(tx, config, organizationId);
    if (plan) requireWithin(config, plan.planType, 'largestFileBytes', sizeBytes);
  }
  await requireRoom(tx, config, organizationId, 'storedBytes', sizeBytes);
}

function requireSize({ sizeBytes, purpose }: NewUpload): void {
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0)
    throw invalidField('Upload-Length', 'This is not a valid file size.');
  if (sizeBytes === 0) throw invalidField('Upload-Length', 'The file is empty.');
  const most = purpose === 'agent' ? AGENT_FILE_MAX_BYTES : KNOWLEDGE_FILE_MAX_BYTES;
  if (sizeBytes > most) throw new AppError('request/too-large');
}

/**
 * Passes the source on in reasonably sized pieces, each with its starting offset; includes the last piece of a source
 * that fails.
 */
async function collect(
  start: number,
  source: AsyncIterable<Uint8Array>,
  keep: (at: number, data: Uint8Array) => Promise<void>,
): Promise<number> {
  let at = start;
  let waiting: Uint8Array[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    if (size === 0) return;
    const data = Buffer.concat(waiting, size);
    waiting = [];
    size = 0;
    await keep(at, data);
    at += data.length;
  };
  try {
    for await (const chunk of source) {
      waiting.push(chunk);
      size += chunk.length;
      if (size >= PIECE_BYTES) await flush();
    }
  } finally {
    await flush();
  }
  return at;
}
