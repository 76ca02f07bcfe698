/** A longer wait counts as late. */
const LATE_MS = 300;
/** If everybody has been late for this long and the queue has not shrunk, there is overload. */
const LATE_FOR_MS = 500;
/** A queue that has lost this share of its peak length is a burst being worked off. */
const SHORTER = 0.1;
/**
 * A queue that has gained this share since everybody became late is still growing, which a burst no longer is by then:
 * it counts as overload sooner.
 */
const LONGER = 0.25;
const GROWING_FOR_MS = 250;
/** For this long after the last sign of overload nobody may wait for long. */
const ON_GUARD_MS = 10_000;
/** And for this long after the last refusal: overload is over when nobody had to be refused. */
const REFUSED_MS = 1000;
/** A queue in which nobody was served at once for this long is standing; a shorter one may come from a momentary stall. */
const STANDING_MS = 100;
/** Under overload nobody should wait longer than this. */
const STALE_MS = 750;
/** How long a measured wait stays current. */
const NEWS_MS = 500;

/**
 * Detects overload of a queue by delay rather than request count, as CoDel does (RFC 8289), and by whether the queue
 * shrinks: a burst is simply waited out, however long that takes.
 */
export interface DelayGuard {
  /** Call when a caller was served after this many milliseconds, with that many waiting behind. */
  waited: (ms: number, behind: number) => void;
  /** Call when a caller was served at once. */
  passed: () => void;
  /** There is overload, or was a moment ago: if the queue is standing, callers who would wait for long should be refused. */
  isOn: () => boolean;
  /** Nobody was served at once lately. */
  isStanding: () => boolean;
  /** Call on a refusal, which keeps the guard on: the served callers' waits are short then and say nothing. */
  refused: () => void;
  /** The last one served, just now, had waited longer than `STALE_MS`. */
  isStale: () => boolean;
}

export function createDelayGuard(now: () => number): DelayGuard {
  let lateSince: number | undefined;
  /** The queue length at that time, and its peak since. */
  let atFirst = 0;
  let longest = 0;
  let heardAt = -Infinity;
  let guardUntil = -Infinity;
  let staleAt = -Infinity;
  let passedAt = -Infinity;
  const guard: DelayGuard = {
    waited: (ms, behind) => {
      const at = now();
      const isShorter = behind < longest * (1 - SHORTER);
      // Without measurements for a while, nobody is known to be late.
      if (ms < LATE_MS || isShorter || at - heardAt > NEWS_MS) {
        lateSince = undefined;
        longest = 0;
      }
      if (ms >= LATE_MS) {
        if (lateSince === undefined) atFirst = behind;
        lateSince ??= at;
        longest = Math.max(longest, behind);
      }
      heardAt = at;
      const lateForMs = behind > atFirst * (1 + LONGER) ? GROWING_FOR_MS : LATE_FOR_MS;
      if (lateSince !== undefined && at - lateSince >= lateForMs) guardUntil = at + ON_GUARD_MS;
      staleAt = ms >= STALE_MS ? at : -Infinity;
    },
    passed: () => {
      passedAt = now();
      guard.waited(0, 0);
    },
    isOn: () => now() < guardUntil,
    isStanding: () => now() - passedAt >= STANDING_MS,
    refused: () => {
      guardUntil = Math.max(guardUntil, now() + REFUSED_MS);
    },
    isStale: () => now() - staleAt < NEWS_MS,
  };
  return guard;
}
