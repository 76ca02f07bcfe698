import type { FastifyInstance } from 'fastify';

/** A client that has not read an answer to its end by then won't. Shorter than the time allowed for a stop (`main.ts`). */
const PATIENCE_MS = 10_000;

/**
 * Once called, each answer is the last on its connection, including answers in progress, and idle connections end:
 * otherwise a closing server would wait for clients that always have another request or keep the connection open. After
 * `patienceMs` the remaining connections are cut.
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
