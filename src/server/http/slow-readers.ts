import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Longer than any line that still carries something stands still. */
export const READER_MS = 60_000;

/**
 * Cuts off who takes nothing of an answer for so long, also of one that was written to its end: what waits for them takes memory, and a
 * connection. It can be asked for again, and a stream followed. Whoever has taken all that there is yet may wait for the rest as long as
 * it takes.
 */
export function cutSlowReaders(server: Server, patienceMs: number): void {
  // Of a connection on which nothing moves; between two answers Node takes its own, and ends it.
  server.setTimeout(patienceMs);
  server.on('request', (_request, response: ServerResponse) => {
    response.on('timeout', (socket: Socket) => {
      if (socket.writableLength > 0) socket.destroy();
      else socket.setTimeout(patienceMs);
    });
  });
}
