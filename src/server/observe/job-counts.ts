import type pg from 'pg';

interface JobCount {
  queue: string;
  state: 'waiting' | 'deferred' | 'active' | 'failed';
  count: number;
}

/** Several monitors of an installation cause one query. */
const KNOWN_FOR_MS = 5000;

/**
 * Jobs by queue and state, as the queue itself counts them every few seconds: reads one row per queue and no jobs.
 * Without the database there is nothing to report, and the other metrics are reported all the same.
 */
export function jobCounts(owner: pg.Pool): () => Promise<JobCount[]> {
  let known: Promise<JobCount[]> | undefined;
  let until = -Infinity;
  return () => {
    if (known === undefined || performance.now() >= until) {
      known = readCounts(owner).catch(() => []);
      until = performance.now() + KNOWN_FOR_MS;
    }
    return known;
  };
}

async function readCounts(owner: pg.Pool): Promise<JobCount[]> {
  const { rows } = await owner.query<{ name: string } & Record<JobCount['state'], number>>(
    `select name, queued_count as waiting, deferred_count as deferred, active_count as active, failed_count as failed
       from pgboss.queue where name not like '\\_\\_%' order by name`,
  );
  return rows.flatMap(({ name: queue, waiting, deferred, active, failed }) => [
    { queue, state: 'waiting', count: waiting },
    { queue, state: 'deferred', count: deferred },
    { queue, state: 'active', count: active },
    { queue, state: 'failed', count: failed },
  ]);
}
