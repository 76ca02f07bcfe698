import type { IncomingMessage } from 'node:http';
import type { Socket } from 'socket.io';
import {
  SOCKET_FRAMES_MAX,
  SOCKET_FRAMES_SECONDS,
  SOCKETS_PER_ADDRESS_MAX,
  SOCKETS_PER_USER_MAX,
} from '../../contract/limits.ts';

type Connection = Socket['conn'];

/** A closed connection that the peer keeps open is cut after this long. */
const GOODBYE_MS = 1000;

/** Counts by key. */
class Tally {
  readonly #counts = new Map<string, number>();

  /** Counts one more while its connection is open; false if the maximum is reached. */
  enter(key: string, most: number, connection: Connection): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count >= most) return false;
    this.#counts.set(key, count + 1);
    connection.once('close', () => this.#leave(key));
    return true;
  }

  #leave(key: string): void {
    const left = (this.#counts.get(key) ?? 1) - 1;
    if (left > 0) this.#counts.set(key, left);
    else this.#counts.delete(key);
  }
}

/** Limits what one address, one person and one connection can use of the sockets; excess use harms nobody else. */
interface Bounds {
  /** A new connection, not yet identified; it is cut if its address has too many, or if it floods. */
  opened: (connection: Connection) => void;
  /** False if this person has too many. */
  signedIn: (userId: string, connection: Connection) => boolean;
}

export function createBounds(addressOf: (request: IncomingMessage) => string): Bounds {
  const addresses = new Tally();
  const users = new Tally();
  return {
    opened: (connection) => {
      connection.once('close', () => setTimeout(() => cut(connection), GOODBYE_MS).unref());
      if (addresses.enter(addressOf(connection.request), SOCKETS_PER_ADDRESS_MAX, connection))
        cutFlood(connection);
      else cut(connection);
    },
    signedIn: (userId, connection) => users.enter(userId, SOCKETS_PER_USER_MAX, connection),
  };
}

/** Counts all frames, even invalid ones: parsing them is the cost. */
function cutFlood(connection: Connection): void {
  let since = performance.now();
  let frames = 0;
  connection.on('packet', () => {
    const now = performance.now();
    if (now - since > SOCKET_FRAMES_SECONDS * 1000) {
      since = now;
      frames = 0;
    }
    frames += 1;
    if (frames > SOCKET_FRAMES_MAX) cut(connection);
  });
}

/** At once: a graceful close would wait for the peer while it keeps sending. */
function cut(connection: Connection): void {
  connection.request.socket.destroy();
}
