import { setTimeout as pause } from 'node:timers/promises';

/** Long work pauses after so long, and for so long: requests that are answered meanwhile hardly notice it. */
const TURN_MS = 4;
const PAUSE_MS = 16;

/** Makes the function that long work calls at each step: it yields to the event loop when it is time for that. */
export function createYield(): () => Promise<unknown> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await pause(PAUSE_MS);
    since = performance.now();
  };
}

/** `filter` for so many items that the event loop would be blocked. */
export async function filterYielding<T>(items: Iterable<T>, isIt: (item: T) => boolean): Promise<T[]> {
  const found: T[] = [];
  const yieldToOthers = createYield();
  for (const item of items) {
    if (isIt(item)) found.push(item);
    await yieldToOthers();
  }
  return found;
}
