import type { Log } from './log.ts';

/** Work that looks again and again whether there is something to do. Several processes may sweep at once. */
export interface Sweep {
  name: string;
  everyMs: number;
  run: () => Promise<unknown>;
}

/** A sweep that fails is logged and comes again; one that takes long is not begun a second time beside itself. */
export function startSweeps(log: Log, sweeps: Sweep[]): { stop: () => Promise<void> } {
  const running = new Set<Promise<unknown>>();
  const timers = sweeps.map(({ name, everyMs, run }) => {
    let isBusy = false;
    return setInterval(() => {
      if (isBusy) return;
      isBusy = true;
      const work = run()
        .catch((error: unknown) => log.warn({ err: error, sweep: name }, 'a sweep failed'))
        .finally(() => {
          isBusy = false;
          running.delete(work);
        });
      running.add(work);
    }, everyMs);
  });
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running);
    },
  };
}
