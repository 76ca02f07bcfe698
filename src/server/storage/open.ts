import { StartError } from '../start-error.ts';
import { storageAddress } from './address.ts';
import { openLocalStorage } from './local.ts';
import type { S3Patience } from './s3-bucket.ts';
import type { Storage } from './storage.ts';

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
