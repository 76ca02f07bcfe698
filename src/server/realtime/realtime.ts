import type { IncomingMessage, Server as HttpServer } from 'node:http';
import { Server, type Socket } from 'socket.io';
import type { ClientEvents, ServerEvents } from '../../contract/events.ts';
import { SOCKET_FRAME_MAX_BYTES, SOCKET_SIGN_IN_MS, SOCKET_WATCHES_MAX } from '../../contract/limits.ts';
import type { UserCaller } from '../call.ts';
import { createBounds } from './bounds.ts';
import type { Log } from '../log.ts';
import type { FanOut } from './fan-out.ts';
import { guardPolling } from './polling.ts';
import { PutOut } from './put-out.ts';
import { servePresence, type PresenceData, type PresenceOptions } from './presence.ts';

/** Tells browsers that something has changed. Delivery is at most once: missed events are read over HTTP. */
export interface Realtime {
  /** Sends to `userIds`, on whatever page they are, and to those watching the agent; nobody receives it twice. */
  toAgentWatchers: <E extends keyof ServerEvents>(
    agentId: string,
    userIds: string[],
    event: E,
    payload: Parameters<ServerEvents[E]>[0],
  ) => void;
  toUser: <E extends keyof ServerEvents>(
    userId: string,
    event: E,
    payload: Parameters<ServerEvents[E]>[0],
  ) => void;
  /** Call after a change of teams: removes everyone watching one of these agents who no longer may. */
  recheckWatchers: (agentIds: string[]) => Promise<void>;
  /**
   * Call after a change to a person's role in an organization: tells them, and removes them from what they may no
   * longer watch.
   */
  membershipChanged: (organizationId: string, userId: string) => Promise<void>;
  /** Closes all sockets of a session at once. */
  disconnectSession: (sessionId: string) => void;
  /** The number of sockets open on this process. */
  open: () => number;
  close: () => Promise<void>;
}

/** A token's bearer, and when it expires. */
export interface Bearer {
  caller: UserCaller;
  endsAt: Date;
}

interface RealtimeOptions extends PresenceOptions {
  /** Undefined for an invalid token. */
  identify: (idToken: string) => Promise<Bearer | undefined>;
  mayWatchAgent: (caller: UserCaller, agentId: string) => Promise<boolean>;
  /** The address that connections are counted by. */
  addressOf: (request: IncomingMessage) => string;
  /** Undefined: there is no other process. */
  fanOut: FanOut | undefined;
  log: Log;
}

interface SocketData extends PresenceData {
  bearer: Bearer;
}

type Sockets = Server<ClientEvents, ServerEvents, Record<never, never>, SocketData>;
type OneSocket = Socket<ClientEvents, ServerEvents, Record<never, never>, SocketData>;

/** Rooms are joined only here, after a permission check: a client can ask, never join. */
export function startRealtime(server: HttpServer, options: RealtimeOptions): Realtime {
  const bounds = createBounds(options.addressOf);
  const io: Sockets = new Server(server, {
    path: '/socket.io',
    transports: ['polling', 'websocket'],
    maxHttpBufferSize: SOCKET_FRAME_MAX_BYTES,
    connectTimeout: SOCKET_SIGN_IN_MS,
    serveClient: false,
    ...(options.fanOut && { adapter: options.fanOut.adapter }),
  });
  guardPolling(io.engine, options.identify);
  io.engine.on('connection', bounds.opened);
  io.use(async (socket, next) => {
    const { idToken } = socket.handshake.auth as { idToken?: unknown };
    const token = socket.handshake.headers['id-token'] ?? idToken;
    const bearer = typeof token === 'string' ? await options.identify(token).catch(() => null) : undefined;
    if (bearer === null) return next(new Error('server/unavailable'));
    if (!bearer) return next(new Error('auth/unauthenticated'));
    if (!bounds.signedIn(bearer.caller.userId, socket.conn)) return next(new Error('request/rate-limited'));
    socket.data.bearer = bearer;
    return next();
  });
  io.on('connection', (socket) => {
    servePresence(io, socket, options);
    return serve(socket, options);
  });
  const putOut = new PutOut(io, options);
  return {
    toAgentWatchers: (agentId, userIds, event, payload) => {
      io.to(roomsOf(agentId, userIds)).emit(event, ...([payload] as Parameters<ServerEvents[typeof event]>));
    },
    toUser: (userId, event, payload) => {
      io.to(`user:${userId}`).emit(event, ...([payload] as Parameters<ServerEvents[typeof event]>));
    },
    recheckWatchers: (agentIds) => putOut.recheck(agentIds.map((id) => `agent:${id}`)),
    membershipChanged: async (organizationId, userId) => {
      await putOut.recheck([`user:${userId}`]);
      io.to(`user:${userId}`).emit('membership.updated', { organizationId });
    },
    disconnectSession: (sessionId) => io.in(`session:${sessionId}`).disconnectSockets(true),
    open: () => io.engine.clientsCount,
    close: async () => {
      putOut.close();
      await io.close();
      await options.fanOut?.close();
    },
  };
}

const roomsOf = (agentId: string, userIds: string[]) => [
  `agent:${agentId}`,
  ...userIds.map((userId) => `user:${userId}`),
];

async function serve(socket: OneSocket, { mayWatchAgent }: RealtimeOptions): Promise<void> {
  const { caller, endsAt } = socket.data.bearer;
  // The client returns with a fresh token.
  const end = setTimeout(() => socket.disconnect(true), endsAt.getTime() - Date.now());
  socket.on('disconnect', () => clearTimeout(end));
  socket.on('agent.watch', async (agentId, acknowledge) => {
    if (typeof agentId !== 'string' || typeof acknowledge !== 'function') return socket.disconnect(true);
    if (socket.rooms.size > SOCKET_WATCHES_MAX) return acknowledge(false);
    if (!(await mayWatchAgent(caller, agentId))) return acknowledge(false);
    await socket.join(`agent:${agentId}`);
    // Checked again: the permission may have ended before there was a room to be removed from.
    const stillAllowed = await mayWatchAgent(caller, agentId);
    if (!stillAllowed) await socket.leave(`agent:${agentId}`);
    return acknowledge(stillAllowed);
  });
  await socket.join([`user:${caller.userId}`, `session:${caller.sessionId}`]);
}
