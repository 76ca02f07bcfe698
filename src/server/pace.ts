import { setTimeout as sleep } from 'node:timers/promises';

/** Without a request for this long nobody is being kept waiting: most are answered by then. */
const CALM_MS = 15;
/** Work in the background waits no longer than this for one step: it must get on as well. */
const MOST_WAIT_MS = 60;
const LOOK_EVERY_MS = 5;

/** Lets work in the background step back while people are being served by the same process. */
export interface Pace {
  /** Somebody has asked for something. */
  asked: () => void;
  /** Resolves in a calm moment, or when it has waited long enough for one. */
  calm: () => Promise<void>;
}

export function createPace(): Pace {
  let askedAt = -Infinity;
  return {
    asked: () => (askedAt = performance.now()),
    calm: async () => {
      const began = performance.now();
      while (performance.now() - askedAt < CALM_MS && performance.now() - began < MOST_WAIT_MS)
        await sleep(LOOK_EVERY_MS);
    },
  };
}
