import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log.ts';
import { inUse, type EmbeddedPostgres } from './embedded.ts';

/** An advisory lock held while a server uses an embedded database. The number only has to be unique to us. */
export const EMBEDDED_LOCK = 7_210_001;

/** Delay between attempts to restart a dead database: its remains end within this time; a full disk takes longer. */
const TRY_AGAIN_MS = 200;
const TRY_AGAIN_AT_MOST_MS = 2000;

interface Keeper {
  /** Releases the database and stops it. */
  stop: () => Promise<void>;
}

/**
 * Uses the embedded database exclusively and restarts it when it has died for any reason: nothing else watches over a
 * database with its own server process. Unless this process is killed, the database ends with it. Errors: `StartError`
 * while another program uses it.
 */
export async function keepEmbedded(embedded: EmbeddedPostgres, dataDir: string, log: Log): Promise<Keeper> {
  let stopped = false;
  let reviving: Promise<void> | undefined;
  const lost = (): void => {
    if (stopped) return;
    reviving ??= revive().finally(() => (reviving = undefined));
  };
  // Its program holds no lock for a moment after restarting it.
  if (await embedded.isClaimed()) throw inUse(dataDir);
  let lock = await hold(embedded, dataDir, lost);
  const release = await embedded.claim();
  process.once('exit', embedded.stopAtOnce);
  async function revive(): Promise<void> {
    log.warn('the embedded database stopped; restarting it');
    for (let wait = TRY_AGAIN_MS; ; wait = Math.min(2 * wait, TRY_AGAIN_AT_MOST_MS)) {
      if (stopped) return;
      try {
        await embedded.start();
        lock = await hold(embedded, dataDir, lost);
        log.info('the embedded database is running again');
        return;
      } catch (error) {
        log.warn({ err: error }, 'the embedded database did not start; retrying');
        await delay(wait);
      }
    }
  }
  return {
    stop: async () => {
      stopped = true;
      await reviving;
      await lock.end().catch(() => undefined);
      await embedded.stop();
      release();
      process.off('exit', embedded.stopAtOnce);
    },
  };
}

async function hold(
  { connectionString }: EmbeddedPostgres,
  dataDir: string,
  lost: () => void,
): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on('error', lost);
  await client.connect();
  const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [
    EMBEDDED_LOCK,
  ]);
  if (!rows[0]?.held) {
    await client.end();
    throw inUse(dataDir);
  }
  return client;
}
