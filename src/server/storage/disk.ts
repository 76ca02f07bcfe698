import { open } from 'node:fs/promises';
import { AppError, notFound } from '../app-error.ts';

/** A new or renamed file survives a crash only if its folder is synced as well. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** Freeing space takes a person. */
const FULL_SECONDS = 60;

/** Translates a disk error for the caller. */
export function explained(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return notFound();
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new AppError('server/unavailable', 'There is no space for more files right now.', {
      retryAfterSeconds: FULL_SECONDS,
      cause: error,
    });
  }
  return error;
}
