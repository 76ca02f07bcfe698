import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'socket.io';
import type { Bearer } from './realtime.ts';

type Engine = Server['engine'];

/**
 * Clients start with polling unless told otherwise. Each request of such a connection carries its person's token in the
 * `id-token` header, including the one that upgrades it to a WebSocket: knowing a connection's ID gains nothing. A
 * connection that began as a WebSocket can't be named by a request.
 */
export function guardPolling(
  engine: Engine,
  identify: (idToken: string) => Promise<Bearer | undefined>,
): void {
  const sessions = new Map<string, string>();
  const bearers = new WeakMap<IncomingMessage, Bearer>();
  const isRefused = async (request: IncomingMessage): Promise<boolean> => {
    const query = new URLSearchParams(request.url?.split('?')[1]);
    const id = query.get('sid');
    if (id === null && query.get('transport') === 'websocket') return false;
    const token = request.headers['id-token'];
    const bearer = typeof token === 'string' ? await identify(token).catch(() => undefined) : undefined;
    if (!bearer || (id !== null && sessions.get(id) !== bearer.caller.sessionId)) return true;
    bearers.set(request, bearer);
    return false;
  };
  engine.use(async (request: IncomingMessage, _response: ServerResponse, next: (error?: Error) => void) =>
    next((await isRefused(request)) ? new Error('not your connection') : undefined),
  );
  engine.on('connection', (connection) => {
    const bearer = bearers.get(connection.request as IncomingMessage);
    if (!bearer) return;
    sessions.set(connection.id, bearer.caller.sessionId);
    connection.once('close', () => sessions.delete(connection.id));
  });
}
