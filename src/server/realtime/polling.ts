import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'socket.io';
import type { Bearer } from './realtime.ts';

type Engine = Server['engine'];

/**
 * Clients that have not been told otherwise begin by polling. Each request of such a connection bears its person's token in the
 * `id-token` header, also the one by which it becomes a WebSocket: who has seen the id of a connection has nothing by that. A connection
 * that began as a WebSocket is never named by a request.
 */
export function guardPolling(
  engine: Engine,
  identify: (idToken: string) => Promise<Bearer | undefined>,
): void {
  const sessions = new Map<string, string>();
  const bearers = new WeakMap<IncomingMessage, Bearer>();
  engine.use((request: IncomingMessage, _response: ServerResponse, next: (error?: Error) => void): void => {
    const query = new URLSearchParams(request.url?.split('?')[1]);
    const id = query.get('sid');
    if (id === null && query.get('transport') === 'websocket') return next();
    const token = request.headers['id-token'];
    if (typeof token !== 'string') return next(new Error('no token'));
    identify(token).then((bearer) => {
      if (!bearer) return next(new Error('no token'));
      if (id !== null && sessions.get(id) !== bearer.caller.sessionId)
        return next(new Error('another connection'));
      bearers.set(request, bearer);
      return next();
    }, next);
  });
  engine.on('connection', (connection) => {
    const bearer = bearers.get(connection.request as IncomingMessage);
    if (!bearer) return;
    sessions.set(connection.id, bearer.caller.sessionId);
    connection.once('close', () => sessions.delete(connection.id));
  });
}
