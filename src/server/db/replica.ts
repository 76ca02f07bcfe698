import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { AppError } from '../app-error.ts';
import type { Log } from '../log.ts';
import { transactionsOver, type Database } from './scope.ts';

/** How long to wait for a replica to catch up with the primary. */
const CATCH_UP_MS = 300;
const LOOK_AGAIN_MS = 5;
/** A replica that hasn't reported its position by then is considered unresponsive. */
const SILENT_MS = 1000;
/** How long a replica that is lagging, away or broken is skipped. */
const REST_MS = 5000;

/**
 * Reads on a replica, which sees everything that requests had committed when the read began: it is used only once it
 * has caught up with the primary's position at that time. If a replica takes too long for that, or anything else goes
 * wrong with it, the primary does the work. Errors: those of the work on the primary.
 */
export function readingOverReplica(
  { primary, replica }: Record<'primary' | 'replica', pg.Pool>,
  log: Log,
): (inPrimary: Database['reading']) => Database['reading'] {
  let restsUntil = -Infinity;
  return (inPrimary) => async (scope, work) => {
    if (performance.now() < restsUntil) return inPrimary(scope, work);
    try {
      const goal = await placeOf(primary);
      return await transactionsOver(() => connectCaughtUp(replica, goal), 'begin read only')(scope, work);
    } catch (error) {
      if (error instanceof AppError) throw error;
      restsUntil = performance.now() + REST_MS;
      log.warn({ err: error }, 'the replica could not be read; reading from the primary for a while');
      return inPrimary(scope, work);
    }
  };
}

/** How far the primary's log is flushed to disk: everything that requests were told is done lies before that. */
async function placeOf(primary: pg.Pool): Promise<string> {
  const { rows } = await primary.query<{ place: string }>('select pg_current_wal_flush_lsn()::text as place');
  return rows[0]?.place ?? '';
}

/** Anything started on this connection sees everything up to there. */
async function connectCaughtUp(replica: pg.Pool, goal: string): Promise<pg.PoolClient> {
  const client = await replica.connect();
  try {
    await caughtUp(client, goal);
    return client;
  } catch (error) {
    client.release(error instanceof Error ? error : true);
    throw error;
  }
}

async function caughtUp(client: pg.PoolClient, goal: string): Promise<void> {
  const until = performance.now() + CATCH_UP_MS;
  const question = {
    text: 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as "hasCome"',
    values: [goal],
    query_timeout: SILENT_MS,
  };
  for (;;) {
    const { rows } = await client.query<{ hasCome: boolean | null }>(question);
    const hasCome = rows[0]?.hasCome ?? null;
    // A database that has never replayed anything may be any database, even one that has diverged.
    if (hasCome === null) throw new Error('The database of DATABASE_REPLICA_URL is not a replica.');
    if (hasCome) return;
    if (performance.now() >= until) throw new Error('The replica is lagging behind.');
    await sleep(LOOK_AGAIN_MS);
  }
}
