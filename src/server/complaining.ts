import type { Log } from './log.ts';

const COMPLAINT_EVERY_MS = 10_000;

/** Rate-limits log lines about a recurring failure: one at a time says it all and leaves the log readable. */
export function complaining(log: Log, message: string): (error: unknown) => void {
  let nextAt = 0;
  return (error) => {
    const now = performance.now();
    log[now < nextAt ? 'debug' : 'warn']({ err: error }, message);
    if (now >= nextAt) nextAt = now + COMPLAINT_EVERY_MS;
  };
}
