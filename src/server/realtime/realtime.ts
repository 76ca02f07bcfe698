import type { Server as HttpServer } from 'node:http';
import { Server } from 'socket.io';
import type { ClientEvents, ServerEvents } from '../../contract/events.ts';
import type { UserCaller } from '../call.ts';

/** Tells browsers that something has changed. Delivery is at most once: whoever missed it reads over HTTP. */
export interface Realtime {
  toAgentWatchers: <E extends keyof ServerEvents>(
    agentId: string,
    event: E,
    payload: Parameters<ServerEvents[E]>[0],
  ) => void;
  toUser: <E extends keyof ServerEvents>(
    userId: string,
    event: E,
    payload: Parameters<ServerEvents[E]>[0],
  ) => void;
  /** Ends every socket of a session at once. */
  disconnectSession: (sessionId: string) => void;
  close: () => Promise<void>;
}

export interface RealtimeOptions {
  /** Undefined for a token that is not valid. */
  identify: (idToken: string) => Promise<UserCaller | undefined>;
  mayWatchAgent: (caller: UserCaller, agentId: string) => Promise<boolean>;
}

interface SocketData {
  caller: UserCaller;
}

/** Rooms are joined here only, after the right to them was checked: a client can ask, never join. */
export function startRealtime(server: HttpServer, options: RealtimeOptions): Realtime {
  const io = new Server<ClientEvents, ServerEvents, Record<never, never>, SocketData>(server, {
    path: '/socket.io',
    maxHttpBufferSize: 16_384,
    serveClient: false,
  });
  io.use(async (socket, next) => {
    const { idToken } = socket.handshake.auth as { idToken?: unknown };
    const token = socket.handshake.headers['id-token'] ?? idToken;
    const caller = typeof token === 'string' ? await options.identify(token) : undefined;
    if (!caller) return next(new Error('auth/unauthenticated'));
    socket.data.caller = caller;
    return next();
  });
  io.on('connection', async (socket) => {
    const { caller } = socket.data;
    await socket.join([`user:${caller.userId}`, `session:${caller.sessionId}`]);
    socket.on('agent.watch', async (agentId, acknowledge) => {
      if (typeof agentId !== 'string' || typeof acknowledge !== 'function') return socket.disconnect(true);
      const allowed = await options.mayWatchAgent(caller, agentId);
      if (allowed) await socket.join(`agent:${agentId}`);
      return acknowledge(allowed);
    });
  });
  return {
    toAgentWatchers: (agentId, event, payload) => {
      io.to(`agent:${agentId}`).emit(event, ...([payload] as Parameters<ServerEvents[typeof event]>));
    },
    toUser: (userId, event, payload) => {
      io.to(`user:${userId}`).emit(event, ...([payload] as Parameters<ServerEvents[typeof event]>));
    },
    disconnectSession: (sessionId) => io.in(`session:${sessionId}`).disconnectSockets(true),
    close: async () => {
      await io.close();
    },
  };
}
