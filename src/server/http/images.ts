import type { FastifyInstance } from 'fastify';
import { notFound } from '../app-error.ts';
import { imageNameOf, storageKeyOf } from '../images/address.ts';
import type { Storage } from '../storage/storage.ts';

/**
 * Serves uploaded pictures, which we have made ourselves from what was uploaded. Still a browser may do nothing with them
 * but show them: no script, no other type than we say. An address is random, and its bytes never change.
 */
export function serveImages(app: FastifyInstance, storage: Storage): void {
  app.get('/images/:file', { schema: { hide: true } }, async (request, reply) => {
    const name = imageNameOf(`/images/${(request.params as { file: string }).file}`);
    if (name === undefined) throw notFound();
    const bytes = await storage.get(storageKeyOf(name));
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('x-content-type-options', 'nosniff')
      .type('image/webp')
      .send(bytes);
  });
}
