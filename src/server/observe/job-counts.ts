import type pg from 'pg';

interface JobCount {
  queue: string;
  state: 'waiting' | 'deferred' | 'active' | 'failed';
  count: number;
}

/** Several who watch an installation ask the database once. */
const KNOWN_FOR_MS = 5000;

/**
 * Jobs by queue and state, as the queue itself counts them every few seconds: a row a queue is read and no job. Without the
 * database there is nothing to tell, and the other figures are told all the same.
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
