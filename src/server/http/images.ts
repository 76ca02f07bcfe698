import type { FastifyInstance } from 'fastify';
import { IMAGE_WIDTHS_PX } from '../../contract/limits.ts';
import { invalidField, notFound } from '../app-error.ts';
import { imageNameOf, storageKeyOf } from '../images/address.ts';
import { NarrowPictures } from '../images/narrow-pictures.ts';
import type { Storage } from '../storage/storage.ts';

/**
 * Serves uploaded pictures, which we re-encoded ourselves. Even so, a browser may only display them: no scripts, no
 * type other than the declared one. Addresses are random, and their bytes never change. With `w`, one of a few widths,
 * the picture is no wider than that.
 */
export function serveImages(app: FastifyInstance, storage: Storage): void {
  const narrow = new NarrowPictures(storage);
  app.get('/images/:file', { schema: { hide: true } }, async (request, reply) => {
    const name = imageNameOf(`/images/${(request.params as { file: string }).file}`);
    if (name === undefined) throw notFound();
    const width = widthOf((request.query as { w?: unknown }).w);
    const bytes = width === undefined ? await storage.get(storageKeyOf(name)) : await narrow.get(name, width);
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('x-content-type-options', 'nosniff')
      .type('image/webp')
      .send(bytes);
  });
}

/** Only these few, so that nobody can have a picture rendered at every possible width. */
function widthOf(given: unknown): number | undefined {
  if (given === undefined) return undefined;
  const width = IMAGE_WIDTHS_PX.find((allowed) => String(allowed) === given);
  if (width === undefined) throw invalidField('w', `Must be one of ${IMAGE_WIDTHS_PX.join(', ')}.`);
  return width;
}
