import { AppError } from '../../../app-error.ts';
import type { Deps } from '../../../deps.ts';
import { addressOfImage, newImageName, storageKeyOf } from '../../../images/address.ts';
import { makePicture } from '../../../images/make-photo.ts';
import { USER_AGENT } from './robots.ts';

const PICTURE_MAX_PIXELS = 480;

/**
 * Stores a copy of a shop's picture, so that no card makes a browser call an external host: re-encoded, at most 480
 * pixels wide and high, under a random address like our photos; `removePhoto` in `images/photos.ts` deletes it with its
 * card. Null if it is unavailable: a card works without a picture too.
 */
export async function keepProductImage(
  { egress, storage }: Pick<Deps, 'egress' | 'storage'>,
  address: string,
  signal: AbortSignal,
): Promise<string | null> {
  const picture = await draw(egress, address, signal);
  if (!picture) return null;
  const name = newImageName();
  await storage.put(storageKeyOf(name), picture);
  return addressOfImage(name);
}

async function draw(
  egress: Deps['egress'],
  address: string,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  try {
    const { status, body } = await egress.fetch(address, {
      signal,
      headers: {
        'user-agent': USER_AGENT,
        accept: 'image/webp, image/png, image/jpeg, image/avif, image/gif',
      },
    });
    return status === 200 ? await makePicture(body, PICTURE_MAX_PIXELS) : undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
