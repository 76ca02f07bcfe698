import type { Log } from './log.ts';

/** Work that looks again and again whether there is something to do. Several processes may sweep at once. */
export interface Sweep {
  name: string;
  everyMs: number;
  run: () => Promise<unknown>;
  /** It rests for so many times as long as it took: on a machine with much to do it takes longer. */
  rest?: number;
}

/** What fails for one keeps no other waiting. Errors: all of them at the end, under `message`. */
export async function eachByItself<One>(
  all: readonly One[],
  act: (one: One) => Promise<unknown>,
  message: string,
): Promise<void> {
  const failures: unknown[] = [];
  for (const one of all) await act(one).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, message);
}

/** Most take a fifth of the time at most. */
const REST = 4;
/** A tenth or so: for what nobody waits for, and what takes much of a busy machine. */
export const LONG_REST = 10;

/** Whoever stops waits no longer for what is running: all sweeps are made to be killed, and the database must be stopped in peace. */
const STOP_WAITS_MS = 5000;

/** A sweep that fails is logged and comes again; one that takes long is not begun a second time beside itself, and then rests. */
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
