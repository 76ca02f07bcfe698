import type { Log } from './log.ts';

const COMPLAINT_EVERY_MS = 10_000;

/** Of what fails again and again one at a time tells it all, and leaves other lines to be read. */
export function complaining(log: Log, message: string): (error: unknown) => void {
  let nextAt = 0;
  return (error) => {
    const now = performance.now();
    log[now < nextAt ? 'debug' : 'warn']({ err: error }, message);
    if (now >= nextAt) nextAt = now + COMPLAINT_EVERY_MS;
  };
}
