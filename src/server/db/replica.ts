import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { AppError } from '../app-error.ts';
import type { Log } from '../log.ts';
import { transactionsOver, type Database } from './scope.ts';

/** So long is waited for a replica to have what the primary has. */
const CATCH_UP_MS = 300;
const LOOK_AGAIN_MS = 5;
/** One that does not say by then where it is has fallen silent. */
const SILENT_MS = 1000;
/** A replica that is late, away or broken is left alone for so long. */
const REST_MS = 5000;

/**
 * Reads on a replica, which sees everything that requests had committed when the reading began: it is asked only once it has come as
 * far as the primary had then. A replica that takes too long for that, or with which anything else goes wrong, has its work done by the
 * primary. Errors: those of the work on the primary.
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
      log.warn({ err: error }, 'the replica could not be read; the primary is read for a while');
      return inPrimary(scope, work);
    }
  };
}

/** Up to where the primary's log is on its disk: nothing that a request was told to be done lies behind that. */
async function placeOf(primary: pg.Pool): Promise<string> {
  const { rows } = await primary.query<{ place: string }>('select pg_current_wal_flush_lsn()::text as place');
  return rows[0]?.place ?? '';
}

/** What is begun over this connection sees everything up to there. */
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
    // What has never replayed anything may be any database, also one that went its own way.
    if (hasCome === null) throw new Error('The database of DATABASE_REPLICA_URL is not a replica.');
    if (hasCome) return;
    if (performance.now() >= until) throw new Error('The replica is behind.');
    await sleep(LOOK_AGAIN_MS);
  }
}
