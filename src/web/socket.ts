import type { io as Connect, Socket } from 'socket.io-client';
import type { ClientEvents, ServerEvents } from '../contract/events.ts';
import {
  SOCKET_RECONNECT_JITTER,
  SOCKET_RECONNECT_MAX_MS,
  SOCKET_RECONNECT_MIN_MS,
  SOCKET_TIMEOUT_MS,
} from '../contract/limits.ts';
import { isReachable } from './online.ts';
import { freshToken, sessionState } from './session/session.ts';
import { createStore } from './store.ts';
import { whenOnline } from './ui/when-online.ts';

type ParleySocket = Socket<ServerEvents, ClientEvents>;

/** While false, what the socket would report has to be polled. */
export const socketConnected = createStore(false);

let opening: Promise<ParleySocket> | null = null;
/** The socket that reconnects after being refused or closed. */
let current: ParleySocket | null = null;

/** This tab's only socket, opened when first needed. It closes when the person signs out. */
function openSocket(): Promise<ParleySocket> {
  opening ??= whenOnline(() => import('socket.io-client')).then(({ io }) => connect(io));
  return opening;
}

function connect(io: typeof Connect): ParleySocket {
  const socket: ParleySocket = io({
    path: '/socket.io',
    transports: ['websocket'],
    auth: (give) =>
      void freshToken().then(
        (idToken) => give({ idToken }),
        () => give({}),
      ),
    reconnectionDelay: SOCKET_RECONNECT_MIN_MS,
    reconnectionDelayMax: SOCKET_RECONNECT_MAX_MS,
    randomizationFactor: SOCKET_RECONNECT_JITTER,
    timeout: SOCKET_TIMEOUT_MS,
  });
  current = socket;
  const comeBack = () => {
    const jitter = 1 - SOCKET_RECONNECT_JITTER * Math.random();
    setTimeout(() => current === socket && socket.connect(), SOCKET_RECONNECT_MAX_MS * jitter);
  };
  socket.on('connect', () => socketConnected.set(true));
  socket.on('disconnect', (reason) => {
    socketConnected.set(false);
    void isReachable();
    // After `ping timeout` and `parse error` the client reconnects by itself; after a disconnect by the server it does
    // not.
    if (reason === 'io server disconnect') comeBack();
  });
  // Nor after a refusal: the server may have had no database to check with, or we no token to show. A signed-out person
  // stays disconnected, see below.
  socket.on('connect_error', () => {
    if (!socket.active) comeBack();
  });
  return socket;
}

sessionState.subscribe(() => {
  if (sessionState.get().status !== 'signed-out' || !opening) return;
  void opening.then((socket) => {
    if (current === socket) current = null;
    socket.disconnect();
  });
  opening = null;
  socketConnected.set(false);
});

/**
 * Listens to one event until the returned function is called. `onConnect` runs on every connection, including the
 * first: that is where rooms are joined and missed events are loaded over HTTP.
 */
export function listen<E extends keyof ServerEvents>(
  event: E,
  handle: ServerEvents[E],
  onConnect: (socket: ParleySocket) => void,
): () => void {
  let stopped = false;
  let stop = () => undefined as void;
  void openSocket().then((socket) => {
    if (stopped) return;
    const handler = handle as never;
    const joined = () => onConnect(socket);
    socket.on(event, handler);
    socket.on('connect', joined);
    if (socket.connected) joined();
    stop = () => {
      socket.off(event, handler);
      socket.off('connect', joined);
    };
  });
  return () => {
    stopped = true;
    stop();
  };
}
