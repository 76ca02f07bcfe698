import { randomInt } from 'node:crypto';
import pg from 'pg';
import type { Log } from '../log.ts';
import { quick } from './timeouts.ts';

/** First half of the advisory locks by which processes show that they live; the number only has to be ours. */
const RUNNER_LOCKS = 7_210_003;

/**
 * This process as others see it: a number under an advisory lock that PostgreSQL gives up the moment the process dies.
 * What a process has under way is marked with its number, so work left by a dead one can be told at once and exactly.
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
    log.warn('the runner lock was lost with its connection; taking it again');
    setTimeout(() => {
      hold(connectionString, id, lost).then((next) => (client = next), lost);
    }, 1000).unref();
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
    await client.query('select pg_advisory_lock($1, $2)', [RUNNER_LOCKS, id]);
  } catch (error) {
    // Else it would take the lock later and keep it from the next one.
    void client.end().catch(ignore);
    throw error;
  }
  client.on('error', lost);
  return client;
}

function ignore(): void {}

/** SQL for the numbers of the processes that live now. */
export const livingRunners = `
  select objid::bigint from pg_locks
   where locktype = 'advisory' and classid = ${RUNNER_LOCKS} and objsubid = 2 and granted
     and database = (select oid from pg_database where datname = current_database())`;
