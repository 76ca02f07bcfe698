import { setTimeout as sleep } from 'node:timers/promises';
import { createTurns } from './turns.ts';

/** Without a request for this long nobody is being kept waiting: most are answered by then. */
const CALM_MS = 15;
/** Work in the background waits no longer than this for one step: it must get on as well. */
const MOST_WAIT_MS = 60;
const LOOK_EVERY_MS = 5;
/** For so long after a request there are people about. */
const BUSY_MS = 1000;
/** Of the time with people about, work in the background takes this share once it has used up its head start. */
const SHARE = 1 / 6;
/** So much work is done without a rest: what a person has just added is mostly read within it. */
const HEAD_START_MS = 1500;
/** No rest is longer: on a machine that is busy with something else every step takes long, and is none the better for it. */
const MOST_REST_MS = 500;

/** Lets work in the background step back while people are being served by the same process. */
export interface Pace {
  /** Somebody has asked for something. */
  asked: () => void;
  /**
   * Does one step of work in the background: at once when nobody is about; otherwise one step of all such work at a time,
   * in a calm moment, or when it has waited long enough for one, and no more than its share of the time.
   */
  step: <T>(work: () => Promise<T>) => Promise<T>;
}

export function createPace(): Pace {
  let askedAt = -Infinity;
  const oneAtATime = createTurns(1);
  const since = (): number => performance.now() - askedAt;
  const calm = async (): Promise<void> => {
    const began = performance.now();
    while (since() < CALM_MS && performance.now() - began < MOST_WAIT_MS) await sleep(LOOK_EVERY_MS);
  };
  let owed = 0;
  let countedAt = 0;
  /** A leaky bucket: what was worked fills it, time empties it, and what flows over is waited for. */
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
