import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** In each interval a body must either end or bring this many bytes. */
export interface BodyPace {
  everyMs: number;
  leastBytes: number;
}

/** Two kilobytes a second: slower than any connection people would send a file over. */
export const BODY_PACE: BodyPace = { everyMs: 30_000, leastBytes: 64 * 1024 };

/**
 * Closes connections whose body barely arrives: a client that sends a byte at a time ties up a connection, and a slot
 * at its reader, for nothing. A small body must arrive within one interval; a large one may take as long as it makes
 * progress. Data we have not read yet is not held against the client. Applies to every request, even one that was
 * answered before all of it arrived.
 */
export function cutSlowBodies(server: Server, { everyMs, leastBytes }: BodyPace): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return;
    const { socket } = request;
    let received = socket.bytesRead;
    const look = (): void => {
      if (request.closed) return;
      if (request.readableLength > 0 || socket.bytesRead - received >= leastBytes) {
        received = socket.bytesRead;
        return;
      }
      clearInterval(timer);
      if (response.headersSent) socket.destroy();
      else server.emit('clientError', tooSlow(), socket);
    };
    // After the process was blocked, reads what has arrived meanwhile before cutting anyone off.
    const timer = setInterval(() => setImmediate(look), everyMs);
    request.once('close', () => clearInterval(timer));
  });
}

/** The error Node gives for heads that barely arrive, which is answered with 408. */
function tooSlow(): Error {
  return Object.assign(new Error('The body arrived too slowly.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
