import type { Deps } from '../../deps.ts';
import type { JobData } from '../../jobs/jobs.ts';

/** Removes the bytes of a file whose row is gone; can be repeated as often as needed. */
export function removeFile({ storage }: Pick<Deps, 'storage'>) {
  return async ({ storageKey }: JobData['file.remove']): Promise<void> => storage.remove(storageKey);
}

/** The same for an upload. */
export function removeUpload({ storage }: Pick<Deps, 'storage'>) {
  return async ({ uploadId }: JobData['upload.remove']): Promise<void> => storage.drafts.remove(uploadId);
}
