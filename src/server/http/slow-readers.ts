import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Longer than any working connection stalls. */
export const READER_MS = 60_000;

/**
 * Cuts off a client that reads nothing of an answer for this long, even if the answer was written completely: the
 * unread data takes memory and a connection. The answer can be requested again, and a stream resumed. A client that has
 * read everything so far may wait for the rest as long as it takes.
 */
export function cutSlowReaders(server: Server, patienceMs: number): void {
  // For a connection without activity; between two answers Node applies its own timeout and closes it.
  server.setTimeout(patienceMs);
  server.on('request', (_request, response: ServerResponse) => {
    response.on('timeout', (socket: Socket) => {
      if (socket.writableLength > 0) socket.destroy();
      else socket.setTimeout(patienceMs);
    });
  });
}
