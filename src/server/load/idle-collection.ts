import type { EventLoopUtilization } from 'node:perf_hooks';
import { performance } from 'node:perf_hooks';

const LOOK_MS = 10_000;
/** The event loop utilization below which nobody is waiting for the server. */
const RESTING_UTILIZATION = 0.03;
/**
 * Rest begins after this long without requests: the pauses of a conversation are shorter. After a collection, turns take
 * 15 % more CPU time for thousands of turns (`docs/performance.md`).
 */
const RESTING_LOOKS = (5 * 60_000) / LOOK_MS;
/** A heap that has grown less since the last time holds little to give back. */
const GROWTH = 1.1;

/**
 * Returns the memory left over from a start or a burst of requests to the system once the server is at rest: V8 keeps it
 * for the next burst and collects it only under pressure. The server pauses for one full collection, some 50 ms. Does
 * nothing if Node was started without `--expose-gc`.
 */
export function collectWhenIdle(): void {
  const { gc } = globalThis;
  if (!gc) return;
  let since: EventLoopUtilization = performance.eventLoopUtilization();
  let left = 0;
  /** How often it was found idle in a row; after a start, rest begins with the first time. */
  let idleLooks = RESTING_LOOKS - 1;
  setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(since);
    since = performance.eventLoopUtilization();
    idleLooks = utilization > RESTING_UTILIZATION ? 0 : idleLooks + 1;
    if (idleLooks < RESTING_LOOKS || process.memoryUsage().heapTotal < left * GROWTH) return;
    void gc({ type: 'major', flavor: 'last-resort', execution: 'async' }).then(() => {
      left = process.memoryUsage().heapTotal;
    });
  }, LOOK_MS).unref();
}
