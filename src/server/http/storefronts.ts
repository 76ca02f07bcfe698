import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { STOREFRONT_CACHED_SECONDS, STOREFRONT_PAGES_PER_MINUTE_AND_ADDRESS } from '../../contract/limits.ts';
import { languageOf } from './language.ts';

interface StorefrontOptions {
  /** The page at this handle; undefined if there is none the public may see. */
  find: (handle: string, locale: string) => Promise<{ html: string; styleHash: string } | undefined>;
}

/** `/s/<handle>`, an agent's public page. It needs no script, and its policy allows none. */
export function serveStorefronts(app: FastifyInstance, { find }: StorefrontOptions): void {
  // As some people and programs write the address.
  app.get<{ Params: { handle: string } }>('/s/:handle/', { schema: { hide: true } }, (request, reply) =>
    reply.redirect(`/s/${encodeURIComponent(request.params.handle)}`, 301),
  );
  app.get<{ Params: { handle: string } }>(
    '/s/:handle',
    {
      schema: { hide: true },
      config: { rateLimit: { max: STOREFRONT_PAGES_PER_MINUTE_AND_ADDRESS, timeWindow: 60_000 } },
    },
    async (request, reply) => {
      const page = await find(
        request.params.handle.toLowerCase(),
        languageOf(request.headers['accept-language']) ?? 'en',
      );
      if (!page) return reply.code(404).callNotFound();
      const tag = `"${createHash('sha256').update(page.html).digest('base64url').slice(0, 27)}"`;
      reply
        .header('cache-control', `public, max-age=${STOREFRONT_CACHED_SECONDS}`)
        .header('etag', tag)
        .header('vary', 'accept-language, accept-encoding')
        .header(
          'content-security-policy',
          `default-src 'none'; style-src ${page.styleHash}; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
        );
      if (hasTag(request.headers['if-none-match'], tag)) return reply.code(304).send();
      return reply.type('text/html; charset=utf-8').send(page.html);
    },
  );
}

/** Compression along the way marks the ETag as weak, which is equivalent for a whole page. */
function hasTag(header: string | undefined, tag: string): boolean {
  return (header ?? '').split(',').some((each) => each.trim().replace(/^W\//, '') === tag);
}
