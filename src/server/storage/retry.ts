import { setTimeout as sleep } from 'node:timers/promises';

/** Waits between attempts: twice as long each time, up to the last. */
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;

/**
 * Tries again while `isTemporary` says that it may help, for `forMs` from the first attempt on; then the last error
 * stands. The waits are a little random, so that many who failed together do not come back together.
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
