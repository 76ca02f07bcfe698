import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { AppError } from '../app-error.ts';
import { isUnanswered } from '../db/errors.ts';
import { quick } from '../db/timeouts.ts';
import type { Log } from '../log.ts';

/** The first key of the advisory locks on uploads; the number only has to be unique to us. */
const UPLOAD_LOCKS = 7_210_005;
const CHANNEL = 'parley_upload';
/** How long a caller waits for a lock's holder to release it. */
const WAIT_MS = 5000;
const LOOK_AGAIN_MS = 50;

/**
 * One writer at a time for each upload, and for anything else identified by an ID, across all processes. A caller that
 * wants a lock asks its holder to release it: after a broken connection, the old request may hang for minutes while its
 * client is already back. The locks are PostgreSQL's, all on one connection, so those of a dead process are released at
 * once.
 */
export interface Locks {
  /** `asked` is called when somebody else wants it. Errors: `storage/upload-locked` if the holder doesn't release it. */
  take: (id: string, asked: () => void, waitMs?: number) => Promise<() => Promise<void>>;
  stop: () => Promise<void>;
}

export function startLocks(connectionString: string, log: Log): Locks {
  const line = new Line(connectionString, log);
  return {
    take: async (id, asked, waitMs = WAIT_MS) => {
      for (const end = performance.now() + waitMs; performance.now() <= end; await sleep(LOOK_AGAIN_MS)) {
        if (await line.tryTake(id, asked)) return () => line.giveUp(id);
        await line.ask(id);
      }
      throw new AppError('storage/upload-locked', undefined, { retryAfterSeconds: 1 });
    },
    stop: () => line.stop(),
  };
}

/** The connection that holds this process's locks. */
class Line {
  readonly #connectionString: string;
  readonly #log: Log;
  /** For each lock held here, the function that tells its holder somebody else wants it. */
  readonly #holders = new Map<string, () => void>();
  #client: Promise<pg.Client> | undefined;
  /** The same, once connected. */
  #current: pg.Client | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(connectionString: string, log: Log) {
    this.#connectionString = connectionString;
    this.#log = log;
  }

  async tryTake(id: string, asked: () => void): Promise<boolean> {
    if (this.#holders.has(id)) return false;
    // Registered before asking the database: its locks don't separate two requests of one process.
    this.#holders.set(id, asked);
    try {
      const { rows } = await this.#query('select pg_try_advisory_lock($1, hashtext($2)) as taken', [
        UPLOAD_LOCKS,
        id,
      ]);
      if (rows[0]?.['taken'] === true) return true;
    } catch (error) {
      this.#holders.delete(id);
      throw error;
    }
    this.#holders.delete(id);
    return false;
  }

  async ask(id: string): Promise<void> {
    const asked = this.#holders.get(id);
    if (asked) return asked();
    await this.#query('select pg_notify($1, $2)', [CHANNEL, id]);
  }

  async giveUp(id: string): Promise<void> {
    // If it doesn't reach the database, that is fine: the lock went with the connection.
    await this.#query('select pg_advisory_unlock($1, hashtext($2))', [UPLOAD_LOCKS, id]).catch(
      () => undefined,
    );
    this.#holders.delete(id);
  }

  async stop(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    await client?.end().catch(() => undefined);
  }

  /** One statement at a time: a connection can't run two at once. */
  #query(text: string, values: unknown[]): Promise<pg.QueryResult<Record<string, unknown>>> {
    const result = this.#last.then(async () => {
      const client = await this.#connected();
      return client.query<Record<string, unknown>>(text, values).catch((error: unknown) => {
        if (isUnanswered(error)) this.#lose(client, error);
        throw error;
      });
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  #connected(): Promise<pg.Client> {
    this.#client ??= this.#connect().catch((error: unknown) => {
      this.#client = undefined;
      throw error;
    });
    return this.#client;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.#connectionString, ...quick });
    client.on('error', (error) => this.#lose(client, error));
    client.on('notification', ({ payload = '' }) => this.#holders.get(payload)?.());
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    this.#current = client;
    return client;
  }

  /** A reset connection reports it twice; by then there may already be a new one. */
  #lose(client: pg.Client, error: unknown): void {
    if (this.#current !== client) return;
    this.#current = undefined;
    this.#log.warn({ err: error }, 'the upload locks were lost with their connection');
    this.#client = undefined;
    void client.end().catch(() => undefined);
    for (const asked of this.#holders.values()) asked();
  }
}
