import { PgBoss } from 'pg-boss';
import type { Tx } from '../db/scope.ts';
import type { Log } from '../log.ts';

/** Every kind of job with what it carries. A job names its organization, because it runs scoped to it. */
export interface JobData {
  'knowledge.process': { organizationId: string; agentId: string; knowledgeId: string };
  'mail.send': { mailId: string };
}

export type JobName = keyof JobData;

export interface Jobs {
  /** Enqueues in the caller's transaction: the job exists exactly when what made it necessary is committed. */
  enqueue: <N extends JobName>(tx: Tx, name: N, data: JobData[N]) => Promise<void>;
  /**
   * Runs `handler` for each job of that name on this process. A job whose process dies is run again by another within a
   * minute, so a handler must be idempotent. `signal` is aborted when the process is about to stop.
   */
  work: <N extends JobName>(name: N, handler: (data: JobData[N], signal: AbortSignal) => Promise<void>) => Promise<void>;
  stop: () => Promise<void>;
}

const queues: Record<JobName, { retryLimit: number; expireInSeconds: number; concurrency: number }> = {
  'knowledge.process': { retryLimit: 50, expireInSeconds: 3600, concurrency: 2 },
  'mail.send': { retryLimit: 20, expireInSeconds: 60, concurrency: 2 },
};

/** A job whose worker gave no sign of life for this long is given to another; pg-boss allows no less. */
const HEARTBEAT_SECONDS = 10;
/** How often such jobs are looked for. */
const SUPERVISE_SECONDS = 5;
const RETRY_DELAY_MAX_SECONDS = 30;

export async function startJobs(connectionString: string, log: Log): Promise<Jobs> {
  const boss = new PgBoss({
    connectionString,
    max: 3,
    useListenNotify: true,
    createSchema: false,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'job queue'));
  await boss.start();
  for (const [name, { concurrency: _, ...options }] of Object.entries(queues)) {
    const retries = { retryBackoff: true, retryDelay: 1, retryDelayMax: RETRY_DELAY_MAX_SECONDS };
    await boss.createQueue(name, { ...options, ...retries, heartbeatSeconds: HEARTBEAT_SECONDS, notify: true });
  }
  return {
    enqueue: async (tx, name, data) => {
      const executor = { executeSql: (text: string, values?: unknown[]) => tx.$client.query(text, values as unknown[]) };
      await boss.send(name, data, { db: executor });
    },
    work: async (name, handler) => {
      await boss.work<JobData[typeof name]>(
        name,
        { pollingIntervalSeconds: 2, localConcurrency: queues[name].concurrency },
        async (batch) => {
          for (const job of batch) await handler(job.data, job.signal);
        },
      );
    },
    stop: () => boss.stop({ graceful: true, timeout: 10_000 }),
  };
}
