import { setTimeout as pause } from 'node:timers/promises';

/** Long work pauses after this long, for this long: requests answered meanwhile hardly notice it. */
const TURN_MS = 4;
const PAUSE_MS = 16;

/** Returns a function for long work to call at each step: it yields to the event loop when it is time to. */
export function createYield(): () => Promise<unknown> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await pause(PAUSE_MS);
    since = performance.now();
  };
}

/** `filter` for so many items that it would block the event loop. */
export async function filterYielding<T>(items: Iterable<T>, isIt: (item: T) => boolean): Promise<T[]> {
  const found: T[] = [];
  const yieldToOthers = createYield();
  for (const item of items) {
    if (isIt(item)) found.push(item);
    await yieldToOthers();
  }
  return found;
}
