import type { EventLoopUtilization } from 'node:perf_hooks';
import { performance } from 'node:perf_hooks';

const LOOK_MS = 10_000;
/** The part of the time in which something was done; below it nobody waits for the server. */
const RESTING_UTILIZATION = 0.03;
/** A heap that has grown less since the last time holds little that can be given back. */
const GROWTH = 1.1;

/**
 * Gives back to the system what a start or a crowd has left behind, once nothing is to be done: V8 keeps it for the next crowd, and
 * looks at it only when more is asked of it. The server stands still for as long as a large collection takes, some 50 ms. Does
 * nothing where Node was started without `--expose-gc`.
 */
export function giveBackAtRest(): void {
  const { gc } = globalThis;
  if (!gc) return;
  let since: EventLoopUtilization = performance.eventLoopUtilization();
  let left = 0;
  setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(since);
    since = performance.eventLoopUtilization();
    if (utilization > RESTING_UTILIZATION || process.memoryUsage().heapTotal < left * GROWTH) return;
    void gc({ type: 'major', flavor: 'last-resort', execution: 'async' }).then(() => {
      left = process.memoryUsage().heapTotal;
    });
  }, LOOK_MS).unref();
}
