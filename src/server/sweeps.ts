import type { Log } from './log.ts';

/** Work that periodically checks for something to do. Several processes may sweep at once. */
export interface Sweep {
  name: string;
  everyMs: number;
  run: () => Promise<unknown>;
  /** It rests for this multiple of its duration: on a busy machine it takes longer. */
  rest?: number;
}

/** A failure for one doesn't hold up the others. Errors: all of them at the end, under `message`. */
export async function eachByItself<One>(
  all: readonly One[],
  act: (one: One) => Promise<unknown>,
  message: string,
): Promise<void> {
  const failures: unknown[] = [];
  for (const one of all) await act(one).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, message);
}

/** Most sweeps use at most a fifth of the time. */
const REST = 4;
/** About a tenth: for work nobody waits for that takes much of a busy machine. */
export const LONG_REST = 10;

/** A stop waits no longer than this for running sweeps: all of them can be killed, and the database must be shut down cleanly. */
const STOP_WAITS_MS = 5000;

/** A failed sweep is logged and runs again; a slow one is not started a second time concurrently, and rests afterwards. */
export function startSweeps(log: Log, sweeps: Sweep[]): { stop: () => Promise<void> } {
  const running = new Set<Promise<unknown>>();
  const timers = sweeps.map(({ name, everyMs, run, rest = REST }) => {
    let isBusy = false;
    let restsUntil = 0;
    return setInterval(() => {
      const began = performance.now();
      if (isBusy || began < restsUntil) return;
      isBusy = true;
      const work = run()
        .catch((error: unknown) => log.warn({ err: error, sweep: name }, 'a sweep failed'))
        .finally(() => {
          isBusy = false;
          const ended = performance.now();
          restsUntil = ended + (ended - began) * rest;
          running.delete(work);
        });
      running.add(work);
    }, everyMs);
  });
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      const enough = new Promise((resolve) => setTimeout(resolve, STOP_WAITS_MS).unref());
      await Promise.race([Promise.all(running), enough]);
    },
  };
}
