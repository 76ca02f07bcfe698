import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Namespace, Server } from 'socket.io';
import type { Config } from '../config/config.ts';
import { complaining } from '../complaining.ts';
import { quick } from '../db/timeouts.ts';
import type { Log } from '../log.ts';
import { StartError } from '../start-error.ts';

/** How long publishing to Redis may take. */
const TOLD_WITHIN_MS = 1000;
/** A Redis that accepts connections at the start but never responds ends the start, like one that cannot be reached. */
const FIRST_RESPONSE_WITHIN_MS = 10_000;
/** A process that has listened this long without hearing from another is alone: each announces itself every five seconds. */
const ALONE_AFTER_MS = 10_000;
/** A Redis that starts along with the server may take some seconds; one that is lost later is retried forever. */
const FIRST_TRIES = 8;

/** How processes pass on events for each other's browsers. */
export interface FanOut {
  adapter: Exclude<Parameters<Server['adapter']>[0], undefined>;
  close: () => Promise<void>;
}

/**
 * Uses Redis if there is one, otherwise the database the processes share. An embedded database has a single process:
 * nobody to tell. What is lost while either is away browsers read over HTTP, as after any lost connection.
 */
export async function openFanOut(
  { redisUrl, databaseUrl }: Pick<Config, 'redisUrl' | 'databaseUrl'>,
  log: Log,
): Promise<FanOut | undefined> {
  if (redisUrl !== undefined) return throughRedis(redisUrl, log);
  return databaseUrl === undefined ? undefined : throughPostgres(databaseUrl, log);
}

async function throughRedis(url: string, log: Log): Promise<FanOut> {
  const [{ createClient }, { createAdapter: byRedis }] = await Promise.all([
    import('redis'),
    import('@socket.io/redis-streams-adapter'),
  ]);
  let triesLeft = FIRST_TRIES;
  const reconnectStrategy = (retries: number, cause: Error) =>
    triesLeft-- > 0 ? Math.min(50 * 2 ** retries, 2000) : cause;
  // What can't be published now isn't published later: it would be outdated.
  const client = createClient({ url, disableOfflineQueue: true, socket: { reconnectStrategy } });
  client.on('error', (error: Error) => log.warn({ err: error }, 'redis'));
  await Promise.race([client.connect(), tooLate(FIRST_RESPONSE_WITHIN_MS)]).catch(({ message }: Error) => {
    client.destroy();
    throw new StartError(`Redis (REDIS_URL) cannot be used: ${message.replace(/\.$/, '')}.`);
  });
  triesLeft = Infinity;
  const duplicate = client.duplicate.bind(client);
  const add = client.xAdd.bind(client);
  const untold = complaining(log, 'redis did not take what other processes are to hear');
  Object.assign(client, {
    // Reads are queued instead: the adapter retries at once when it is rejected, and would starve everything else.
    duplicate: () => duplicate({ disableOfflineQueue: false }),
    // The adapter notifies the local sockets after the others: an unresponsive Redis delays it only for a moment.
    xAdd: (...given: Parameters<typeof add>) =>
      Promise.race([add(...given), tooLate(TOLD_WITHIN_MS)]).catch((error: unknown) => {
        // One that is full, or has become a replica, rejects each of them and is healthy otherwise.
        if (client.isReady) untold(error);
        throw error;
      }),
  });
  return { adapter: byRedis(client, { streamName: 'parley' }), close: async () => client.destroy() };
}

async function tooLate(afterMs: number): Promise<never> {
  await delay(afterMs, undefined, { ref: false });
  throw new Error('Redis is not responding.');
}

async function throughPostgres(connectionString: string, log: Log): Promise<FanOut> {
  const { createAdapter: byPostgres } = await import('@socket.io/postgres-adapter');
  const pool = new pg.Pool({ connectionString, max: 1, ...quick });
  const listeners = new Set<pg.Client>();
  let listensSince = Infinity;
  const lost = (err: Error): void => {
    if (!pool.ending) log.warn({ err }, 'fan-out');
  };
  pool.on('error', lost);
  pool.on('connect', (client) => client.on('error', lost));
  /**
   * The adapter keeps a connection for good and takes another one when it breaks, without releasing the broken one. It
   * also takes one when listening failed, and leaves that connection open: once it works, everything would be delivered
   * twice from then on.
   */
  const listen = async () => {
    for (const earlier of listeners) {
      earlier.removeAllListeners('end');
      void earlier.end().catch(() => undefined);
    }
    listeners.clear();
    const client = new pg.Client({ connectionString, ...quick });
    client.on('error', lost);
    client.on('end', () => listeners.delete(client));
    listeners.add(client);
    listensSince = Infinity;
    await client.connect();
    listensSince = performance.now();
    return Object.assign(client, { release: () => void client.end() });
  };
  const connections = { connect: listen, query: pool.query.bind(pool) } as unknown as pg.Pool;
  const toAll = byPostgres(connections, {
    channelPrefix: 'parley',
    tableName: 'socket_attachment',
    errorHandler: lost,
  });
  /**
   * Each notification is a database transaction, so a process that is alone sends none for events. Disconnections are
   * always sent.
   */
  function adapter(namespace: Namespace) {
    const made = toAll(namespace);
    const broadcast = made.broadcast.bind(made);
    made.broadcast = async (packet, options) => {
      const isAlone = performance.now() - listensSince > ALONE_AFTER_MS && (await made.serverCount()) === 1;
      await broadcast(packet, isAlone ? { ...options, flags: { ...options.flags, local: true } } : options);
    };
    return made;
  }
  const close = async (): Promise<void> => {
    await Promise.all([...listeners].map((client) => client.end().catch(() => undefined)));
    await pool.end();
  };
  return { adapter, close };
}
