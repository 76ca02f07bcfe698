import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Server } from 'socket.io';
import type { Config } from '../config.ts';
import { quick } from '../db/timeouts.ts';
import type { Log } from '../log.ts';
import { StartError } from '../start-error.ts';

/** After a reading that failed. */
const READ_AGAIN_MS = 500;

/** How processes tell each other what the browsers of each are to hear. */
export interface FanOut {
  adapter: Exclude<Parameters<Server['adapter']>[0], undefined>;
  close: () => Promise<void>;
}

/**
 * Through Redis where there is one, else through the database that the processes share. An embedded database has one process:
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
  // What cannot be told now is not told later: it would be old.
  const client = createClient({ url, disableOfflineQueue: true });
  const duplicate = client.duplicate.bind(client);
  client.duplicate = ((...given: Parameters<typeof duplicate>) =>
    readingSlowly(duplicate(...given))) as typeof duplicate;
  client.on('error', (error: Error) => log.warn({ err: error }, 'redis'));
  await client.connect().catch(() => {
    throw new StartError('The Redis of REDIS_URL cannot be reached.');
  });
  return { adapter: byRedis(client, { streamName: 'parley' }), close: async () => client.destroy() };
}

/** A client that reads by copies of itself. */
interface Reader {
  xRead: (...given: never[]) => Promise<unknown>;
}

/**
 * The adapter reads again as soon as a reading has failed. Without Redis that is at once, and again at once: the process would do
 * nothing else any more.
 */
function readingSlowly<R extends Reader>(reader: R): R {
  const read = reader.xRead.bind(reader);
  reader.xRead = async (...given) =>
    read(...given).catch(async (error: unknown) => {
      await sleep(READ_AGAIN_MS);
      throw error;
    });
  return reader;
}

async function throughPostgres(connectionString: string, log: Log): Promise<FanOut> {
  const { createAdapter: byPostgres } = await import('@socket.io/postgres-adapter');
  const pool = new pg.Pool({ connectionString, max: 1, ...quick });
  const listeners = new Set<pg.Client>();
  const lost = (err: Error): void => {
    if (!pool.ending) log.warn({ err }, 'fan-out');
  };
  pool.on('error', lost);
  pool.on('connect', (client) => client.on('error', lost));
  /**
   * The adapter keeps a connection for good and takes another one when it breaks, without giving the broken one back. It also takes
   * one when it could not listen, and leaves the connection as it is: that would tell everything twice from then on, when it can.
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
    await client.connect();
    return Object.assign(client, { release: () => void client.end() });
  };
  const connections = { connect: listen, query: pool.query.bind(pool) } as unknown as pg.Pool;
  const adapter = byPostgres(connections, {
    channelPrefix: 'parley',
    tableName: 'socket_attachment',
    errorHandler: lost,
  });
  const close = async (): Promise<void> => {
    await Promise.all([...listeners].map((client) => client.end().catch(() => undefined)));
    await pool.end();
  };
  return { adapter, close };
}
