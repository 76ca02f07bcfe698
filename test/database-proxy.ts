import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** A fault between a program and its database. */
export type Fault =
  | 'none'
  /** Each chunk of a response is delayed by half a second. */
  | 'latency'
  /** Nothing passes, and nobody is told. */
  | 'stall'
  /** Each connection is reset as soon as anything is sent on it. */
  | 'reset'
  /** Everything arrives byte by byte. */
  | 'slices'
  /** Connections are closed, and new ones refused. */
  | 'refuse'
  /** A request's write under a key is committed, and its connection cut before anybody learns of it. */
  | 'unheard';

export const faults: readonly Exclude<Fault, 'none' | 'unheard'>[] = [
  'latency',
  'stall',
  'reset',
  'slices',
  'refuse',
];

const LATENCY_MS = 500;
/** This many bytes one by one, then the rest of a chunk: covers every message boundary, and large responses still finish. */
const SLICED_BYTES = 600;

/** A connection to PostgreSQL on which faults are switched on and off during use. */
export class DatabaseProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #waiting = new Set<() => void>();
  readonly #committing = new WeakSet<Socket>();
  #fault: Fault = 'none';

  private constructor(target: () => Socket) {
    this.#server = createServer({ noDelay: true }, (socket) => this.#join(socket, target));
  }

  static async start(databaseUrl: string): Promise<DatabaseProxy> {
    const url = new URL(databaseUrl.replace('@/', '@localhost/'));
    const folder = url.searchParams.get('host');
    const port = Number(url.port || url.searchParams.get('port') || 5432);
    const proxy = new DatabaseProxy(() =>
      folder === null ? connect(port, url.hostname) : connect(`${folder}/.s.PGSQL.${port}`),
    );
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** The same database through this proxy. */
  addressOf(databaseUrl: string): string {
    const url = new URL(databaseUrl.replace('@/', '@localhost/'));
    for (const name of ['host', 'port']) url.searchParams.delete(name);
    url.host = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return url.href;
  }

  /** Applies to existing and new connections from now on. When a stall ends, withheld data passes. */
  set fault(fault: Fault) {
    this.#fault = fault;
    if (fault === 'refuse') for (const socket of this.#sockets) socket.destroy();
    for (const go of this.#waiting) go();
    this.#waiting.clear();
  }

  async close(): Promise<void> {
    this.fault = 'refuse';
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(near: Socket, target: () => Socket): void {
    if (this.#fault === 'refuse') {
      near.destroy();
      return;
    }
    const far = target();
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    near.pipe(this.#disturbed(near, 'question')).pipe(far);
    far.pipe(this.#disturbed(near, 'answer')).pipe(near);
  }

  #disturbed(near: Socket, what: 'question' | 'answer'): Transform {
    const pass = async (data: Buffer, out: Transform): Promise<void> => {
      if (this.#fault === 'stall') await new Promise<void>((resolve) => this.#waiting.add(resolve));
      if (this.#fault === 'reset') return void near.resetAndDestroy();
      if (this.#fault === 'unheard') {
        if (what === 'question' && data.includes('mark_key_written')) this.#committing.add(near);
        if (what === 'answer' && this.#committing.has(near)) return void near.resetAndDestroy();
      }
      if (this.#fault === 'latency' && what === 'answer') await delay(LATENCY_MS);
      if (this.#fault !== 'slices') return void out.push(data);
      for (const byte of data.subarray(0, SLICED_BYTES)) {
        out.push(Buffer.of(byte));
        await new Promise(setImmediate);
      }
      if (data.length > SLICED_BYTES) out.push(data.subarray(SLICED_BYTES));
    };
    return new Transform({
      transform: function transform(data: Buffer, _encoding, done) {
        void pass(data, this).finally(done);
      },
    });
  }
}
