import type { FastifyInstance } from 'fastify';
import { AppError } from '../app-error.ts';

/**
 * `/healthz`: the process answers. `/readyz`: it can also work, which here means that the database answers, and nobody has told it to
 * stop: from the moment that what is returned is called, who sends it requests is told to send them elsewhere.
 */
export function serveHealth(app: FastifyInstance, isReady: () => Promise<boolean>): () => void {
  let isLeaving = false;
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }));
  app.get('/readyz', { schema: { hide: true } }, async () => {
    if (isLeaving || !(await isReady()))
      throw new AppError('server/unavailable', undefined, { retryAfterSeconds: 2 });
    return { status: 'ready' };
  });
  return () => void (isLeaving = true);
}
