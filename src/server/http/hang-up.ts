import type { FastifyInstance } from 'fastify';

/**
 * From the moment that it is called, each answer is the last of its connection, and connections without a request end: a server
 * that closes would otherwise wait for clients that always have one more request.
 */
export function hangingUp(http: FastifyInstance): () => void {
  let isClosing = false;
  http.addHook('onRequest', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close');
  });
  return () => {
    isClosing = true;
    http.server.closeIdleConnections();
  };
}
