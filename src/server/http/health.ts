import type { FastifyInstance } from 'fastify';
import { AppError } from '../app-error.ts';

/**
 * `/healthz`: the process responds. `/readyz`: it can also work, meaning that the database responds and nobody has told
 * it to stop. Calling the returned function makes it unready, so that traffic is sent elsewhere.
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
