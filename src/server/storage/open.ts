import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { StartError } from '../start-error.ts';
import { storageAddress } from './address.ts';
import { keptForBackups } from './backup-lock.ts';
import { openLocalStorage } from './local.ts';
import type { S3Patience } from './s3-bucket.ts';
import type { Storage } from './storage.ts';

/** For requests: someone is waiting, and whoever sends a file can send it again. */
const REQUEST_RETRY_MS = 20_000;

export interface Storages {
  storage: Storage;
  /** The same for background work: it waits longer for a bucket that doesn't respond. */
  patientStorage: Storage;
}

export async function openStorages({ storageUrl, dataDir }: Config, owner: pg.Pool): Promise<Storages> {
  const patience = { operationMs: REQUEST_RETRY_MS, uploadMs: REQUEST_RETRY_MS };
  return {
    storage: keptForBackups(await openStorage(storageUrl, dataDir, patience), owner),
    patientStorage: keptForBackups(await openStorage(storageUrl, dataDir), owner),
  };
}

/** Opens the storage named by `STORAGE_URL`; `patience` applies to a bucket. Errors: `StartError` if it can't be used. */
export async function openStorage(
  storageUrl: string | undefined,
  dataDir: string,
  patience?: S3Patience,
): Promise<Storage> {
  const address = storageAddress(storageUrl, dataDir);
  if (address.kind === 'disk')
    return openLocalStorage(address.folder).catch((error: unknown) => {
      throw storageUrl === undefined ? error : asStorageError(error, address.folder);
    });
  const { openS3Storage } = await import('./s3.ts');
  return openS3Storage(address, patience);
}

/** Tells the operator what to do about it; a folder inside the data folder is reported as part of that. */
function asStorageError(error: unknown, folder: string): unknown {
  const { code, path: place } = error as NodeJS.ErrnoException;
  if (place === undefined) return error;
  return new StartError(
    `The folder ${folder} of STORAGE_URL cannot be written (${code}: ${place}). Make it writable for the user who starts Parley.`,
  );
}
