/** Who waits longer before anything is done for them is late. */
const LATE_MS = 500;
/** When everybody has been late for so long, more comes than can be done: a burst would be over. */
const LATE_FOR_MS = 1000;
/** So long after the last such moment it is watched that nobody waits for long. */
const ON_GUARD_MS = 10_000;
/** From then on nobody should wait for longer than this. */
const STALE_MS = 750;
/** How somebody waited is news for so long. */
const NEWS_MS = 500;

/**
 * Tells of one line whether more comes than can be done. It is the delay that tells, not a number of requests, as in CoDel (RFC
 * 8289): a short burst is simply waited out.
 */
export interface DelayGuard {
  /** Somebody's turn has come after so many milliseconds. */
  waited: (ms: number) => void;
  /** Everybody is late, or was a moment ago: who would wait for long is to be refused. */
  isOn: () => boolean;
  /** The last one whose turn came had waited for longer than `STALE_MS`, just now. */
  isStale: () => boolean;
}

export function createDelayGuard(now: () => number): DelayGuard {
  let lateSince: number | undefined;
  let heardAt = -Infinity;
  let guardUntil = -Infinity;
  let staleAt = -Infinity;
  return {
    waited: (ms) => {
      const at = now();
      // Without news for a while nobody is known to be late.
      if (ms < LATE_MS || at - heardAt > LATE_FOR_MS) lateSince = undefined;
      if (ms >= LATE_MS) lateSince ??= at;
      heardAt = at;
      if (lateSince !== undefined && at - lateSince >= LATE_FOR_MS) guardUntil = at + ON_GUARD_MS;
      staleAt = ms >= STALE_MS ? at : -Infinity;
    },
    isOn: () => now() < guardUntil,
    isStale: () => now() - staleAt < NEWS_MS,
  };
}
