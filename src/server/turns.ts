/**
 * Runs what it is given, at most so many at once; the others wait for their turn in order. With `placeMs`, work that takes
 * longer than that goes on beside them: then nobody waits for what is slow, and nothing can hold up everybody. `admit` hears how
 * long each has waited, before it begins; what it throws is that one's outcome.
 */
export function createTurns(
  atOnce: number,
  { placeMs, admit }: { placeMs?: number; admit?: (waitedMs: number) => void } = {},
): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };
  return async (work) => {
    const since = performance.now();
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    let isHeld = true;
    const leaveOnce = (): void => {
      if (isHeld) leave();
      isHeld = false;
    };
    const timer = placeMs === undefined ? undefined : setTimeout(leaveOnce, placeMs);
    try {
      admit?.(performance.now() - since);
      return await work();
    } finally {
      clearTimeout(timer);
      leaveOnce();
    }
  };
}
