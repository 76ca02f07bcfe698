import { isDeepStrictEqual } from 'node:util';
import { PgBoss, systemClock, type QueueOptions } from 'pg-boss';
import { AppError } from '../app-error.ts';
import type { Tx } from '../db/scope.ts';
import { complaining } from '../complaining.ts';
import type { Log } from '../log.ts';
import { startWaking } from './waking.ts';

/** Every kind of job with its payload. A job names its organization because it runs scoped to it. */
export interface JobData {
  'knowledge.process': { organizationId: string; agentId: string; knowledgeId: string };
  'agent.import': { organizationId: string; importId: string };
  /** `until`: an ISO time after which nobody needs the mail. */
  'mail.send': { mailId: string; until?: string };
  /** Answers what is waiting in a thread of a channel. */
  'channel.answer': { organizationId: string; threadId: string };
  /** Polls a service that doesn't push for what people wrote. */
  'channel.ask': { organizationId: string; pluginId: string };
  /** Sends what members wrote in a conversation of a channel. */
  'channel.say': { organizationId: string; conversationId: string };
  /** Relays what members wrote to a person who may have left. */
  'inbox.relay': { organizationId: string; conversationId: string };
  /** Notifies a browser that somebody is waiting. */
  'push.send': { organizationId: string; conversationId: string; subscriptionId: string };
  /** One event for a webhook. */
  'webhook.deliver': { organizationId: string; deliveryId: string };
  /** Erases a person, or what an agent has of one. */
  'privacy.erase': { erasureId: string };
  /** Exports everything known of a person, or everything an organization has, as a file. */
  'privacy.export': { exportId: string };
  /** Estimates how a conversation went, up to a message. */
  'conversation.estimate': {
    organizationId: string;
    agentId: string;
    conversationId: string;
    sequence: number;
  };
  'test.run': { organizationId: string; testRunId: string };
  /** The payment provider's customer of an organization that no longer exists. */
  'plan.end': { customerId: string };
  /** Bytes whose row has been deleted; keys are IDs, so this can name nothing else. */
  'file.remove': { storageKey: string };
  /** The same for an upload that has become a file, was abandoned or has expired. */
  'upload.remove': { uploadId: string };
}

type JobName = keyof JobData;

/** Jobs recorded somewhere as in progress, which must be ended there when the last attempt has failed. */
const givenUp = [
  'agent.import',
  'channel.answer',
  'channel.say',
  'knowledge.process',
  'privacy.export',
  'test.run',
  'webhook.deliver',
] as const satisfies JobName[];

type GivenUp = (typeof givenUp)[number];

type Handler<N extends JobName> = (data: JobData[N], signal: AbortSignal) => Promise<void>;

export interface Jobs {
  /**
   * Enqueues in the caller's transaction: the job exists exactly if what made it necessary is committed. It runs at
   * once, or after the given delay.
   */
  enqueue: <N extends JobName>(tx: Tx, name: N, data: JobData[N], afterSeconds?: number) => Promise<void>;
  /**
   * Runs `handler` for each job of that name on this process. If a process dies, another reruns its job within a
   * minute, so a handler must be idempotent. `signal` is aborted when the process stops: at once for jobs that resume
   * where they were, for other work after ten seconds, in which it may finish by itself. `giveUp` runs as its own job,
   * of a kind in `givenUp`, when the last of many attempts has failed or has died with its process: by then somebody
   * may have done what the job was for.
   */
  work: <N extends JobName>(
    name: N,
    handler: Handler<N>,
    ...giveUp: N extends GivenUp ? [Handler<N>] : []
  ) => Promise<void>;
  stop: () => Promise<void>;
}

interface Queue extends QueueOptions {
  /** Concurrent jobs per process. */
  concurrency: number;
  /** How many of them may belong to one organization: where others have to wait, this leaves room for them. */
  ofOne?: number;
  /** Every step is stored: a stopping process needn't wait for it. */
  goesOn?: boolean;
}

/** Times in seconds. The death of a worker is followed by a retry, too. */
const queues: Record<JobName, Queue> = {
  // A crawl mostly waits for its site, so several run in parallel; work that needs a core waits for one.
  'knowledge.process': {
    retryLimit: 30,
    retryDelay: 1,
    expireInSeconds: 3600,
    concurrency: 8,
    ofOne: 6,
    goesOn: true,
  },
  'test.run': { retryLimit: 30, retryDelay: 1, expireInSeconds: 3600, concurrency: 2 },
  // A model's own failure is not retried: only the death of a process is.
  'conversation.estimate': { retryLimit: 2, retryDelay: 5, expireInSeconds: 300, concurrency: 2 },
  // A job mostly waits for a model or a service.
  'channel.answer': {
    retryLimit: 12,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 300,
    expireInSeconds: 900,
    concurrency: 16,
  },
  // The next poll comes in a minute anyway.
  'channel.ask': { retryLimit: 0, expireInSeconds: 120, concurrency: 8 },
  'channel.say': {
    retryLimit: 12,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 300,
    expireInSeconds: 300,
    concurrency: 8,
  },
  'inbox.relay': {
    retryLimit: 20,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 300,
    expireInSeconds: 60,
    concurrency: 2,
  },
  // After a few minutes it helps nobody.
  'push.send': {
    retryLimit: 5,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 60,
    expireInSeconds: 30,
    concurrency: 4,
  },
  // A day and a half in total: a receiver repaired the next morning misses nothing.
  'webhook.deliver': {
    retryLimit: 20,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 14_400,
    expireInSeconds: 60,
    concurrency: 8,
  },
  // More than a day: what is not ended keeps being charged.
  'plan.end': {
    retryLimit: 50,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 3600,
    expireInSeconds: 120,
    concurrency: 2,
  },
  // More than a day: what was requested gets done.
  'privacy.erase': {
    retryLimit: 100,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 1800,
    expireInSeconds: 3600,
    concurrency: 2,
  },
  // One at a time: it holds as much in memory as a file can be large.
  'privacy.export': { retryLimit: 5, retryDelay: 2, expireInSeconds: 3600, concurrency: 1 },
  // One at a time: it holds as much in memory as a source can be large.
  'agent.import': { retryLimit: 5, retryDelay: 2, expireInSeconds: 3600, concurrency: 1 },
  'file.remove': {
    retryLimit: 50,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 600,
    expireInSeconds: 60,
    concurrency: 2,
  },
  'upload.remove': {
    retryLimit: 50,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 600,
    expireInSeconds: 60,
    concurrency: 2,
  },
  // A mail server may take ten minutes to accept a mail (RFC 5321); tried again before that, it would be delivered twice. One that
  // is down gets three days to come back, and a few slow mails don't hold up a sign-in link.
  'mail.send': {
    retryLimit: 450,
    retryDelay: 5,
    retryBackoff: true,
    retryDelayMax: 600,
    expireInSeconds: 900,
    concurrency: 5,
  },
};

const endingOf = (name: string): string => `${name}.given-up`;
const endings = {
  retryLimit: 50,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 600,
  expireInSeconds: 60,
};

/** The longest a job of each kind waits: for a retry, or for a start delayed by at most this much. */
export function longestDelays(afterSecondsMax: number): { name: string; seconds: number }[] {
  const secondsOf = ({ retryDelay = 0, retryDelayMax = retryDelay }: QueueOptions): number =>
    Math.max(retryDelayMax, afterSecondsMax);
  const own = Object.entries<Queue>(queues).map(([name, queue]) => ({ name, seconds: secondsOf(queue) }));
  return [...own, ...givenUp.map((name) => ({ name: endingOf(name), seconds: secondsOf(endings) }))];
}

/** A job whose worker has sent no heartbeat for this long goes to another; pg-boss allows no less. */
const HEARTBEAT_SECONDS = 10;
/** How often to look for such jobs. */
const SUPERVISE_SECONDS = 5;
/** How often a worker polls while notifications are unavailable. */
const POLL_SECONDS = 2;
/** How often it polls otherwise, although it is notified of new jobs and woken for due ones: in case both fail. */
const BACKSTOP_SECONDS = 60;
/**
 * How often to check how many jobs are waiting. If more than one is, a worker that has finished a job takes the next at
 * once; otherwise it would rest until it is woken, and hundreds of jobs that arrive together would run a second apart.
 */
const LOOK_SECONDS = 5;
const MANY_WAIT = 1;

/**
 * For pg-boss's own timers: with the system's clock, one that is set back by three hours would stop the search for jobs
 * of dead processes for three hours. When a job starts is up to the database's clock.
 */
const steadyClock = { ...systemClock, now: () => performance.timeOrigin + performance.now() };

export async function startJobs(connectionString: string, log: Log): Promise<Jobs> {
  const boss = new PgBoss({
    connectionString,
    clock: steadyClock,
    max: 3,
    useListenNotify: true,
    createSchema: false,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    queueCacheIntervalSeconds: LOOK_SECONDS,
  });
  // Without a database, each of a hundred workers complains every two seconds.
  const complain = complaining(log, 'job queue');
  boss.on('error', complain);
  await boss.start();
  await keepQueues(boss);
  const stopping = new AbortController();
  const stopWaking = startWaking(boss, complain);
  return {
    enqueue: async (tx, name, data, afterSeconds = 0) => {
      const executor = {
        executeSql: (text: string, values?: unknown[]) => tx.$client.query(text, values as unknown[]),
      };
      await boss.send(name, data, {
        db: executor,
        ...('organizationId' in data && { group: { id: data.organizationId } }),
        ...(afterSeconds > 0 && { startAfter: afterSeconds }),
      });
    },
    work: async (name, handler, ...after) => {
      const { concurrency, ofOne, goesOn = false } = queues[name];
      const leaving = goesOn ? stopping.signal : undefined;
      await workOn(boss, log, { queue: name, concurrency, ofOne, leaving }, handler);
      const [giveUp] = after as [Handler<typeof name>?];
      if (giveUp) await workOn(boss, log, { queue: endingOf(name), concurrency: 1 }, giveUp);
    },
    stop: async () => {
      stopping.abort();
      stopWaking();
      await boss.stop({ graceful: true, timeout: 10_000 });
    },
  };
}

/** Reads all at once; writes only those that are new or that another version configured differently. */
async function keepQueues(boss: PgBoss): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  const keep = async (name: string, options: QueueOptions & { deadLetter?: string }): Promise<void> => {
    const wanted = { ...options, heartbeatSeconds: HEARTBEAT_SECONDS, notify: true };
    const there = known.get(name);
    if (!there) await boss.createQueue(name, wanted);
    else if (!isDeepStrictEqual({ ...there, ...wanted }, there)) await boss.updateQueue(name, wanted);
  };
  const isGivenUp = new Set<string>(givenUp);
  for (const name of givenUp) await keep(endingOf(name), endings);
  for (const [name, { concurrency: _, ofOne: _ofOne, goesOn: _goesOn, ...options }] of Object.entries(queues))
    await keep(name, { ...options, ...(isGivenUp.has(name) && { deadLetter: endingOf(name) }) });
}

interface Work {
  queue: string;
  concurrency: number;
  ofOne?: number | undefined;
  /** Once aborted, a job ends where it is, which is no failure: another process continues it. */
  leaving?: AbortSignal | undefined;
}

async function workOn<N extends JobName>(
  boss: PgBoss,
  log: Log,
  { queue, concurrency, ofOne, leaving }: Work,
  handler: Handler<N>,
): Promise<void> {
  const options = {
    pollingIntervalSeconds: POLL_SECONDS,
    notifyPollingIntervalSeconds: BACKSTOP_SECONDS,
    burstWhenReadyExceeds: MANY_WAIT,
    localConcurrency: concurrency,
    ...(ofOne !== undefined && { localGroupConcurrency: ofOne }),
  };
  await boss.work<JobData[N]>(queue, options, async (batch) => {
    for (const job of batch) {
      const signal = leaving ? AbortSignal.any([job.signal, leaving]) : job.signal;
      await handler(job.data, signal).catch((error: unknown) => {
        const told = { err: error, job: queue, attempt: job.retryCount };
        if (leaving?.aborted) log.debug(told, 'job left for another process');
        else if (error instanceof Postponed || isTaken(error)) log.debug(told, 'job will be retried');
        else log.warn(told, 'job failed');
        throw error;
      });
    }
  });
}

/** What a job throws that has to wait for something: it is tried again like a failed one, but nothing is wrong. */
export class Postponed extends Error {}

/** Another job holds its lock and does its work: nothing has failed that an operator needs to know about. */
function isTaken(error: unknown): boolean {
  return error instanceof AppError && error.code === 'storage/upload-locked';
}
