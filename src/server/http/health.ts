import type { FastifyInstance } from 'fastify';
import { AppError } from '../app-error.ts';

/** `/healthz`: the process answers. `/readyz`: it can also work, which here means that the database answers. */
export function serveHealth(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }));
  app.get('/readyz', { schema: { hide: true } }, async () => {
    if (!(await isReady())) throw new AppError('server/unavailable', undefined, { retryAfterSeconds: 2 });
    return { status: 'ready' };
  });
}
