import { storageAddress } from './address.ts';
import { openLocalStorage } from './local.ts';
import type { S3Patience } from './s3-bucket.ts';
import type { Storage } from './storage.ts';

/** The storage that `STORAGE_URL` names; `patience` is that of a bucket. Errors: `StartError` when it cannot be used. */
export async function openStorage(
  storageUrl: string | undefined,
  dataDir: string,
  patience?: S3Patience,
): Promise<Storage> {
  const address = storageAddress(storageUrl, dataDir);
  if (address.kind === 'disk') return openLocalStorage(address.folder);
  const { openS3Storage } = await import('./s3.ts');
  return openS3Storage(address, patience);
}
