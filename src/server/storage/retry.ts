import { setTimeout as sleep } from 'node:timers/promises';

/** Delays between attempts: doubled each time, up to the longest. */
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;

/**
 * Retries while `isTemporary` says it may help, for `forMs` from the first attempt on; then throws the last error. The
 * delays have some jitter, so that many failed callers don't come back together.
 */
export async function retry<T>(
  attempt: () => Promise<T>,
  isTemporary: (error: unknown) => boolean,
  forMs: number,
): Promise<T> {
  const end = performance.now() + forMs;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      return await attempt();
    } catch (error) {
      const pause = wait * (0.5 + Math.random() / 2);
      if (!isTemporary(error) || performance.now() + pause > end) throw error;
      await sleep(pause);
    }
  }
}
