import type { FastifyInstance } from 'fastify';

/** Whoever has not read an answer to its end by then does not read it. Less than a stop may take (`main.ts`). */
const PATIENCE_MS = 10_000;

/**
 * From the moment that it is called, each answer is the last of its connection, also one that was under way, and connections without a
 * request end: a server that closes would otherwise wait for clients that always have one more request, or keep the connection.
 * After `patienceMs` those that are left are cut.
 */
export function hangingUp(http: FastifyInstance, patienceMs = PATIENCE_MS): () => void {
  let isClosing = false;
  http.addHook('onRequest', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close');
  });
  http.addHook('onResponse', async (request) => {
    if (isClosing) request.raw.socket.destroySoon();
  });
  return () => {
    isClosing = true;
    http.server.closeIdleConnections();
    const cutting = setTimeout(() => http.server.closeAllConnections(), patienceMs).unref();
    http.server.once('close', () => clearTimeout(cutting));
  };
}
