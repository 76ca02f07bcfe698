import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** In each such time a body must come to its end, or bring so many bytes. */
export interface BodyPace {
  everyMs: number;
  leastBytes: number;
}

/** Two kilobytes a second: slower than any line on which somebody would send a file. */
export const BODY_PACE: BodyPace = { everyMs: 30_000, leastBytes: 64 * 1024 };

/**
 * Ends connections on which a body hardly comes: who sends a byte at a time holds a connection, and a place at whoever reads it,
 * for nothing. Anything small must be there after one such time; what is large may take as long as it goes on. Nobody is blamed for what
 * we have not read yet. It holds for every request, also for one that was answered before all of it had come.
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
    // After a process was held up, what has come meanwhile is read before anybody is blamed.
    const timer = setInterval(() => setImmediate(look), everyMs);
    request.once('close', () => clearInterval(timer));
  });
}

/** As Node says it of heads that hardly come, which is answered with 408. */
function tooSlow(): Error {
  return Object.assign(new Error('The body arrived too slowly.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
