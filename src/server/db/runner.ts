import { randomInt } from 'node:crypto';
import pg from 'pg';
import type { Log } from '../log.ts';
import { quick } from './timeouts.ts';

/** First half of the advisory locks that show which processes are alive; the number only has to be unique to us. */
const RUNNER_LOCKS = 7_210_003;

const TAKE_AGAIN_MS = 1000;

/**
 * This process as others see it: a number under an advisory lock that PostgreSQL releases the moment the process dies.
 * Work in progress is marked with its process's number, so work left by a dead process can be identified immediately
 * and exactly.
 */
export interface Runner {
  id: number;
  stop: () => Promise<void>;
}

export async function startRunner(connectionString: string, log: Log): Promise<Runner> {
  const id = randomInt(1, 2 ** 31 - 1);
  let stopped = false;
  let client = await hold(connectionString, id, lost);
  function lost(): void {
    if (stopped) return;
    log.warn('the runner lock was lost with its connection; acquiring it again');
    setTimeout(() => {
      hold(connectionString, id, lost).then((next) => {
        client = next;
        if (stopped) void next.end().catch(ignore);
      }, lost);
    }, TAKE_AGAIN_MS).unref();
  }
  return {
    id,
    stop: async () => {
      stopped = true;
      await client.end().catch(() => undefined);
    },
  };
}

async function hold(connectionString: string, id: number, lost: () => void): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, ...quick });
  client.on('error', ignore);
  try {
    await client.connect();
    // Doesn't wait: until PostgreSQL notices that the previous connection is gone, each attempt would add another
    // waiting one.
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1, $2) as held', [
      RUNNER_LOCKS,
      id,
    ]);
    if (!rows[0]?.held) throw new Error('The previous connection still holds the runner lock.');
  } catch (error) {
    // Otherwise it would take the lock later and withhold it from the next connection.
    void client.end().catch(ignore);
    throw error;
  }
  // A reset connection emits the error twice but is lost once.
  client.once('error', lost);
  return client;
}

function ignore(): void {}

/** SQL for the numbers of the processes currently alive. */
export const livingRunners = `
  select objid::bigint from pg_locks
   where locktype = 'advisory' and classid = ${RUNNER_LOCKS} and objsubid = 2 and granted
     and database = (select oid from pg_database where datname = current_database())`;
