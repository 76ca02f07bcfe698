import { open } from 'node:fs/promises';
import { AppError, notFound } from '../app-error.ts';

/** A new or renamed file survives a crash only if its folder is synced as well. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** It takes a person to make it usable again. */
const REPAIR_SECONDS = 60;

/** A disk that turned read-only after a fault of its own, is gone or belongs to someone else; no descriptors left. */
const unusable = new Set(['EROFS', 'EIO', 'ESTALE', 'EACCES', 'EMFILE', 'ENFILE']);

/** Translates a disk error for the caller. */
export function explained(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return notFound();
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new AppError('server/unavailable', 'There is no space for more files right now.', {
      retryAfterSeconds: REPAIR_SECONDS,
      cause: error,
    });
  }
  return typeof code === 'string' && unusable.has(code)
    ? new AppError('server/unavailable', undefined, { retryAfterSeconds: REPAIR_SECONDS, cause: error })
    : error;
}
