import type { PgBoss } from 'pg-boss';

/** How long a due job that nobody was notified of waits at most: a retry, or one whose start was postponed. */
const LOOK_MS = 1000;

const withDueJobs = `select queue.name from unnest($1::text[]) as queue (name)
  where exists (select from pgboss.job where job.name = queue.name and state < 'active' and not blocked and start_after <= now())`;

/**
 * Wakes this process's workers of queues with due jobs, using one statement a second for all queues. PostgreSQL
 * notifies workers of new jobs only, and if each of them looked for others by itself, an idle server with a hundred workers
 * would ask forty times a second. Returns how to stop.
 */
export function startWaking(
  boss: Pick<PgBoss, 'getDb' | 'getWipData' | 'notifyWorker'>,
  complain: (error: unknown) => void,
): () => void {
  let isLooking = false;
  const look = async (): Promise<void> => {
    const workers = boss.getWipData();
    if (workers.length === 0) return;
    const queues = [...new Set(workers.map(({ name }) => name))];
    const { rows } = await boss.getDb().executeSql(withDueJobs, [queues]);
    const due = new Set((rows as { name: string }[]).map(({ name }) => name));
    for (const { id, name } of workers) if (due.has(name)) boss.notifyWorker(id);
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch(complain)
      .finally(() => (isLooking = false));
  }, LOOK_MS);
  return () => clearInterval(timer);
}
