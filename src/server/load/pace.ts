import { setTimeout as sleep } from 'node:timers/promises';
import { limitConcurrency } from './concurrency-limit.ts';

/** After this long without a request nobody is kept waiting: most are answered by then. */
const CALM_MS = 15;
/** The longest a step of background work waits: it has to make progress as well. */
const MOST_WAIT_MS = 60;
const LOOK_EVERY_MS = 5;
/** How long people count as present after a request. */
const BUSY_MS = 1000;
/** While people are present, background work takes this share of the time once its head start is used up. */
const SHARE = 1 / 6;
/** How much work is done without pausing: what a person has just added is mostly read within it. */
const HEAD_START_MS = 1500;
/** The longest pause: on a machine busy with something else every step takes long, and pausing doesn't help. */
const MOST_REST_MS = 500;

/** Lets background work step back while the same process serves people. */
export interface Pace {
  /** Call when a request arrives. */
  asked: () => void;
  /**
   * Runs one step of background work: at once if nobody is present; otherwise one step of all such work at a time, in a
   * calm moment or after waiting long enough for one, and within its share of the time.
   */
  step: <T>(work: () => Promise<T>) => Promise<T>;
}

export function createPace(): Pace {
  let askedAt = -Infinity;
  const oneAtATime = limitConcurrency(1);
  const since = (): number => performance.now() - askedAt;
  const calm = async (): Promise<void> => {
    const began = performance.now();
    while (since() < CALM_MS && performance.now() - began < MOST_WAIT_MS) await sleep(LOOK_EVERY_MS);
  };
  let owed = 0;
  let countedAt = 0;
  /** A leaky bucket: work fills it, time drains it, and overflow is waited out. */
  const rest = async (workedMs: number): Promise<void> => {
    const now = performance.now();
    const due = Math.max(0, owed - (now - countedAt) * SHARE) + workedMs;
    owed = Math.min(due, HEAD_START_MS + MOST_REST_MS * SHARE);
    countedAt = now;
    const until = now + (owed - HEAD_START_MS) / SHARE;
    while (since() < BUSY_MS && performance.now() < until) await sleep(LOOK_EVERY_MS);
  };
  return {
    asked: () => (askedAt = performance.now()),
    step: async (work) => {
      if (since() >= BUSY_MS) return work();
      return oneAtATime(async () => {
        await calm();
        const began = performance.now();
        try {
          return await work();
        } finally {
          await rest(performance.now() - began);
        }
      });
    },
  };
}
