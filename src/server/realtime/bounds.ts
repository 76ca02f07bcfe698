import type { IncomingMessage } from 'node:http';
import type { Socket } from 'socket.io';
import {
  SOCKET_FRAMES_MAX,
  SOCKET_FRAMES_SECONDS,
  SOCKETS_PER_ADDRESS_MAX,
  SOCKETS_PER_USER_MAX,
} from '../../contract/limits.ts';

type Connection = Socket['conn'];

/** A closed connection that its other side does not let go is cut after this long. */
const GOODBYE_MS = 1000;

/** How many there are of each key. */
class Tally {
  readonly #counts = new Map<string, number>();

  /** Counts one more for as long as its connection is open; false when there are as many as there may be. */
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

/** What one address, one person and one connection can take of the sockets; who takes more harms nobody else. */
interface Bounds {
  /** A new connection, before it has said who it is; it is cut when its address has too many, or when it floods. */
  opened: (connection: Connection) => void;
  /** False when this person has too many. */
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

/** Whatever is in the frames, also what cannot be read: reading it is the cost. */
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

/** At once: a polite close would wait for the other side while it goes on sending. */
function cut(connection: Connection): void {
  connection.request.socket.destroy();
}
