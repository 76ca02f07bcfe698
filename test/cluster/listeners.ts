import { io, type Socket } from 'socket.io-client';
import type { ServerEvents } from '../../src/contract/events.ts';
import {
  SOCKET_RECONNECT_JITTER,
  SOCKET_RECONNECT_MAX_MS,
  SOCKET_RECONNECT_MIN_MS,
  SOCKET_TIMEOUT_MS,
} from '../../src/contract/limits.ts';
import type { Cluster } from './cluster.ts';

/** The minimum number of tabs; more until each web process has one. */
const LISTENERS = 6;
const LISTENERS_MAX = 40;

/** One tab: a socket as in the browser application, which reconnects by itself and then watches its agent again. */
export class Listener {
  readonly #socket: Socket;
  /** Conversations it was told of. */
  readonly conversations = new Set<string>();
  /** Knowledge items it was told are ready. */
  readonly ready = new Set<string>();
  isWatching = false;
  connections = 0;

  constructor(url: string, { token, agentId }: { token: () => string | undefined; agentId: string }) {
    this.#socket = io(url, {
      transports: ['websocket'],
      auth: (give) => give({ idToken: token() }),
      reconnectionDelay: SOCKET_RECONNECT_MIN_MS,
      reconnectionDelayMax: SOCKET_RECONNECT_MAX_MS,
      randomizationFactor: SOCKET_RECONNECT_JITTER,
      timeout: SOCKET_TIMEOUT_MS,
      forceNew: true,
    });
    const comeBack = () => void setTimeout(() => this.#socket.connect(), SOCKET_RECONNECT_MAX_MS);
    this.#socket.on('connect', () => {
      this.connections += 1;
      this.#socket.emit('agent.watch', agentId, (isWatching: boolean) => (this.isWatching = isWatching));
    });
    this.#socket.on('disconnect', (reason) => {
      this.isWatching = false;
      if (reason === 'io server disconnect') comeBack();
    });
    this.#socket.on('connect_error', () => {
      if (!this.#socket.active) comeBack();
    });
    this.#hear();
  }

  close(): void {
    this.#socket.removeAllListeners();
    this.#socket.disconnect();
  }

  #hear(): void {
    const hear = <E extends keyof ServerEvents>(event: E, handle: ServerEvents[E]) =>
      this.#socket.on(event, handle as never);
    hear('conversation.updated', ({ conversationId }) => this.conversations.add(conversationId));
    hear('knowledge.progress.update.result', ({ knowledgeProgress }) => {
      for (const { knowledgeId, state } of knowledgeProgress.items)
        if (state === 'ready') this.ready.add(knowledgeId);
    });
  }
}

/** Opens tabs through nginx until every web process has one. */
export async function openListeners(
  cluster: Cluster,
  who: { token: () => string | undefined; agentId: string },
  eventually: (is: () => boolean | Promise<boolean>) => Promise<void>,
): Promise<Listener[]> {
  const listeners: Listener[] = [];
  const areEverywhere = async () => (await cluster.sockets()).every((count) => count > 0);
  while (listeners.length < LISTENERS || !(await areEverywhere())) {
    if (listeners.length === LISTENERS_MAX)
      throw new Error('nginx sends no sockets to one of the web processes.');
    const listener = new Listener(cluster.url, who);
    listeners.push(listener);
    await eventually(() => listener.isWatching);
  }
  return listeners;
}
