import type { FastifyInstance } from 'fastify';

const LOOK_EVERY_MS = 50;

/**
 * From the moment that it is called, each answer is the last of its connection, and connections without a request end: a server
 * that closes would otherwise wait for clients that always have one more request, or keep a connection on which they were just answered.
 */
export function hangingUp(http: FastifyInstance): () => void {
  let isClosing = false;
  http.addHook('onRequest', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close');
  });
  return () => {
    isClosing = true;
    http.server.closeIdleConnections();
    const looking = setInterval(() => http.server.closeIdleConnections(), LOOK_EVERY_MS).unref();
    http.server.once('close', () => clearInterval(looking));
  };
}
