import { AppError, invalidField } from '../app-error.ts';
import type { Tx } from '../db/scope.ts';
import type { Deps } from '../deps.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { IMAGE_MAX_BYTES } from '../../contract/limits.ts';
import { addressOfImage, imageNameOf, mayUsePhoto, newImageName, storageKeyOf } from './address.ts';
import { makePhoto } from './make-photo.ts';

/** Makes a profile photo from an upload and stores it as `keepImage` does. */
export async function uploadPhoto<T>(
  deps: Pick<Deps, 'storage'>,
  media: Blob,
  keep: (address: string) => Promise<T>,
): Promise<T> {
  return keepImage(deps, media, makePhoto, keep);
}

/**
 * Re-encodes an upload, stores it and passes its address to `keep`, which saves it. If that fails, nothing is left
 * behind. Errors: 400 for a file that is not a picture, 413 for one that is too large, 415 for an unsupported format.
 */
export async function keepImage<T>(
  { storage }: Pick<Deps, 'storage'>,
  media: Blob,
  draw: (data: Buffer) => Promise<Buffer>,
  keep: (address: string) => Promise<T>,
): Promise<T> {
  if (media.size === 0) throw invalidField('media', 'The file is empty.');
  if (media.size > IMAGE_MAX_BYTES) throw new AppError('request/too-large');
  const picture = await draw(Buffer.from(await media.arrayBuffer()));
  const name = newImageName();
  await storage.put(storageKeyOf(name), picture);
  return keep(addressOfImage(name)).catch(async (error: unknown) => {
    await storage.remove(storageKeyOf(name));
    throw error;
  });
}

/** Removes the bytes of a photo that nobody uses any more, after the commit; a placeholder has none. */
export async function removePhoto(tx: Tx, jobs: Jobs, address: string): Promise<void> {
  const name = imageNameOf(address);
  if (name !== undefined) await jobs.enqueue(tx, 'file.remove', { storageKey: storageKeyOf(name) });
}

/** For profiles that set a photo. Errors: 400 for one that is neither a placeholder nor their own. */
export function requireOwnPhoto(given: string | undefined, current: string): void {
  if (given !== undefined && !mayUsePhoto(given, current))
    throw invalidField('profilePhoto', 'Must be your own photo. Upload a new one.');
}
