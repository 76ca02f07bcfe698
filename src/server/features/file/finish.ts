import { KNOWLEDGE_FILE_MAX_BYTES } from '../../../contract/limits.ts';
import type { FileReference } from '../../../contract/knowledge.ts';
import { AppError, notFound } from '../../app-error.ts';
import type { MemberCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { keepFile } from './keep-file.ts';
import { findFiles } from './store.ts';
import { limitConcurrency } from '../../load/concurrency-limit.ts';
import * as store from './upload-store.ts';
import type { StoredUpload } from './upload-store.ts';
import type { Uploads } from './uploads.ts';

/** A finish that arrives while another is in progress waits for its response. */
const WAIT_MS = 60_000;
/** The type is determined from the whole file, so a process holds as many files in memory as it finishes at once. */
const AT_ONCE = 2;

/**
 * Turns complete uploads into files. The same upload becomes the same file however often it is finished. Errors:
 * `storage/upload-unfinished`, and `storage/file-type`, after which the upload and its bytes are gone.
 */
export function createFinish(deps: Pick<Deps, 'db' | 'storage' | 'jobs'>, uploads: Uploads) {
  const turns = limitConcurrency(AT_ONCE);
  return async (uploadId: string, caller: MemberCaller): Promise<FileReference> => {
    // Checked first: a stranger must not be able to interrupt an upload.
    await uploads.find(caller, uploadId);
    const letGo = await uploads.locks.take(uploadId, () => {}, WAIT_MS);
    try {
      const upload = await uploads.find(caller, uploadId);
      if (upload.fileId !== null) return await fileOf(deps, upload.organizationId, upload.fileId);
      if (upload.receivedBytes !== upload.sizeBytes) throw new AppError('storage/upload-unfinished');
      if (upload.sizeBytes > KNOWLEDGE_FILE_MAX_BYTES) throw new AppError('request/too-large');
      return await turns(() => become(deps, uploads, upload, caller));
    } finally {
      await letGo();
    }
  };
}

async function become(
  deps: Pick<Deps, 'db' | 'storage' | 'jobs'>,
  uploads: Uploads,
  upload: StoredUpload,
  caller: MemberCaller,
): Promise<FileReference> {
  const { organizationId, name } = upload;
  const data = await deps.storage.drafts.read(upload.id, upload.sizeBytes);
  // Derived from the upload's id, so that a finish that died halfway leaves no bytes that the next one doesn't use.
  const id = upload.id.replace(/^upl_/, 'fil_');
  // The upload already reserves the file's room.
  const after = async (tx: Tx) => {
    await store.uploadBecame(tx, upload, id);
    await deps.jobs.enqueue(tx, 'upload.remove', { uploadId: upload.id });
  };
  return keepFile(deps, caller, { id, organizationId, name, data }, { after }).catch(
    async (error: unknown) => {
      if (error instanceof AppError && error.code === 'storage/file-type') await uploads.remove(upload);
      throw error;
    },
  );
}

async function fileOf({ db }: Pick<Deps, 'db'>, organizationId: string, id: string): Promise<FileReference> {
  const [file] = await db.in({ organizationId }, (tx) => findFiles(tx, organizationId, [id]));
  if (!file) throw notFound();
  return file;
}
