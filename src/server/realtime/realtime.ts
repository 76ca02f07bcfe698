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
  /** After a change of teams: whoever watches one of these agents and may no longer is put out. */
  recheckWatchers: (agentIds: string[]) => Promise<void>;
  /** After a change of what a person is in an organization: they are told, and put out of what they may no longer watch. */
  membershipChanged: (organizationId: string, userId: string) => Promise<void>;
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

type Sockets = Server<ClientEvents, ServerEvents, Record<never, never>, SocketData>;

/** Rooms are joined here only, after the right to them was checked: a client can ask, never join. */
export function startRealtime(server: HttpServer, options: RealtimeOptions): Realtime {
  const io: Sockets = new Server(server, {
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
      if (!(await options.mayWatchAgent(caller, agentId))) return acknowledge(false);
      await socket.join(`agent:${agentId}`);
      // Asked again: the right may have ended before there was a room to be put out of.
      const stillAllowed = await options.mayWatchAgent(caller, agentId);
      if (!stillAllowed) await socket.leave(`agent:${agentId}`);
      return acknowledge(stillAllowed);
    });
  });
  const recheck = (rooms: string[]) => putOut(io, rooms, options);
  return {
    toAgentWatchers: (agentId, event, payload) => {
      io.to(`agent:${agentId}`).emit(event, ...([payload] as Parameters<ServerEvents[typeof event]>));
    },
    toUser: (userId, event, payload) => {
      io.to(`user:${userId}`).emit(event, ...([payload] as Parameters<ServerEvents[typeof event]>));
    },
    recheckWatchers: (agentIds) => recheck(agentIds.map((id) => `agent:${id}`)),
    membershipChanged: async (organizationId, userId) => {
      await recheck([`user:${userId}`]);
      io.to(`user:${userId}`).emit('membership.updated', { organizationId });
    },
    disconnectSession: (sessionId) => io.in(`session:${sessionId}`).disconnectSockets(true),
    close: async () => {
      await io.close();
    },
  };
}

/** Ends the watching of whoever in these rooms may not any more, on every process. */
async function putOut(io: Sockets, rooms: string[], { mayWatchAgent }: RealtimeOptions): Promise<void> {
  if (rooms.length === 0) return;
  for (const socket of await io.in(rooms).fetchSockets()) {
    const watched = [...socket.rooms].filter((room) => room.startsWith('agent:'));
    for (const room of watched) {
      if (!(await mayWatchAgent(socket.data.caller, room.slice('agent:'.length)))) socket.leave(room);
    }
  }
}
