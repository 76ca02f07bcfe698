import { setTimeout as pause } from 'node:timers/promises';

/** Others have a turn after so long, and for so long: whoever is answered meanwhile hardly notices. */
const TURN_MS = 4;
const PAUSE_MS = 16;

/** Lets others have a turn when it is time for that. */
export function breathing(): () => Promise<unknown> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await pause(PAUSE_MS);
    since = performance.now();
  };
}

/** Those of which it is true, of many of which each takes a little. */
export async function filterBreathing<T>(items: Iterable<T>, isIt: (item: T) => boolean): Promise<T[]> {
  const found: T[] = [];
  const breathe = breathing();
  for (const item of items) {
    if (isIt(item)) found.push(item);
    await breathe();
  }
  return found;
}
