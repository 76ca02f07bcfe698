import { storageAddress } from './address.ts';
import { openLocalStorage } from './local.ts';
import { openS3Storage } from './s3.ts';
import type { Storage } from './storage.ts';

/** The storage that `STORAGE_URL` names. Errors: `StartError` when it cannot be used. */
export async function openStorage(storageUrl: string | undefined, dataDir: string): Promise<Storage> {
  const address = storageAddress(storageUrl, dataDir);
  return address.kind === 'disk' ? openLocalStorage(address.folder) : openS3Storage(address);
}
