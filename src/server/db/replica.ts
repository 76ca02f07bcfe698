import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { AppError } from '../app-error.ts';
import type { Log } from '../log.ts';
import { transactionsOver, type Database, type Tx } from './scope.ts';

/** So long is waited for a replica to have what the primary has. */
const CATCH_UP_MS = 300;
const LOOK_AGAIN_MS = 5;
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
  const inReplica = transactionsOver(() => replica.connect(), 'begin read only');
  let restsUntil = -Infinity;
  return (inPrimary) => async (scope, work) => {
    if (performance.now() < restsUntil) return inPrimary(scope, work);
    try {
      const goal = await placeOf(primary);
      return await inReplica(scope, async (tx) => {
        await caughtUp(tx, goal);
        return work(tx);
      });
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

async function caughtUp(tx: Tx, goal: string): Promise<void> {
  const until = performance.now() + CATCH_UP_MS;
  for (;;) {
    const { rows } = await tx.execute<{ hasCome: boolean | null }>(
      sql`select pg_last_wal_replay_lsn() >= ${goal}::pg_lsn as "hasCome"`,
    );
    const hasCome = rows[0]?.hasCome ?? null;
    // What has never replayed anything may be any database, also one that went its own way.
    if (hasCome === null) throw new Error('The database of DATABASE_REPLICA_URL is no replica.');
    if (hasCome) return;
    if (performance.now() >= until) throw new Error('The replica is behind.');
    await sleep(LOOK_AGAIN_MS);
  }
}
