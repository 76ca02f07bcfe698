import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../app-error.ts';
import type { Metrics } from '../observe/metrics.ts';

/** `/metrics` for requests with the token; for all others, and if no token is set, the page does not exist. */
export function serveMetrics(app: FastifyInstance, token: string | undefined, metrics: Metrics): void {
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    const [, given] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (token === undefined || given === undefined || !isSame(given, token)) throw notFound();
    return reply
      .header('cache-control', 'no-store')
      .type('text/plain; version=0.0.4; charset=utf-8')
      .send(await metrics.text());
  });
}

/** Constant-time: the duration doesn't reveal where they differ. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
