import { setTimeout as delay } from 'node:timers/promises';
import type { Server } from 'socket.io';
import type { ClientEvents, ServerEvents } from '../../contract/events.ts';
import type { UserCaller } from '../call.ts';
import type { Log } from '../log.ts';
import type { PresenceData } from './presence.ts';

type Sockets = Server<ClientEvents, ServerEvents, Record<never, never>, PresenceData>;

/** On this process or another. */
interface OneSocket {
  rooms: Set<string>;
  data: PresenceData;
  leave: (room: string) => unknown;
}

interface PutOutOptions {
  mayWatchAgent: (caller: UserCaller, agentId: string) => Promise<boolean>;
  log: Log;
}

/** A little longer than the adapter waits for the others; also covers an adapter that reports nothing itself. */
const ASKED_MS = 6000;
const AGAIN_MS = 5000;
/** By then every earlier token has expired, and its sockets have closed. */
const GIVE_UP_MS = 3_600_000;

/**
 * Removes everyone from these rooms who is no longer allowed in them, on every process. If a process doesn't answer,
 * because it or the connection to it is down, those here are removed at once and all are asked again later: the
 * permission has already ended, and the caller who ended it should neither wait nor see a failure.
 */
export class PutOut {
  readonly #io: Sockets;
  readonly #options: PutOutOptions;
  #isClosed = false;

  constructor(io: Sockets, options: PutOutOptions) {
    this.#io = io;
    this.#options = options;
  }

  async recheck(rooms: string[]): Promise<void> {
    if (rooms.length === 0) return;
    await this.#everywhere(rooms).catch(async (err: unknown) => {
      this.#options.log.warn({ err }, 'permissions will be rechecked later: not every process responds');
      void this.#later(rooms);
      await this.#among(this.#here(rooms));
    });
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Bypasses the adapter, which would query the others even for this. */
  #here(rooms: string[]): OneSocket[] {
    return [...this.#io.of('/').sockets.values()].filter((socket) =>
      rooms.some((room) => socket.rooms.has(room)),
    );
  }

  async #everywhere(rooms: string[]): Promise<void> {
    const silent = delay(ASKED_MS, undefined, { ref: false }).then(() => {
      throw new Error('The other processes are not responding.');
    });
    await this.#among(await Promise.race([this.#io.in(rooms).fetchSockets(), silent]));
  }

  async #later(rooms: string[]): Promise<void> {
    const last = performance.now() + GIVE_UP_MS;
    while (performance.now() < last) {
      await delay(AGAIN_MS, undefined, { ref: false });
      if (this.#isClosed) return;
      const isDone = await this.#everywhere(rooms).then(
        () => true,
        () => false,
      );
      if (isDone) return;
    }
  }

  async #among(sockets: OneSocket[]): Promise<void> {
    for (const socket of sockets) {
      const watched = [...socket.rooms].filter((room) => room.startsWith('agent:'));
      for (const room of watched) {
        const { caller } = socket.data.bearer;
        if (!(await this.#options.mayWatchAgent(caller, room.slice('agent:'.length))))
          await socket.leave(room);
      }
    }
  }
}
