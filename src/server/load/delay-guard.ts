/** Whoever waits longer than this is late. */
const LATE_MS = 300;
/** When everybody has been late for so long and the queue has not become shorter, there is overload. */
const LATE_FOR_MS = 500;
/** A queue that has lost this share of its greatest length is a burst that is being worked off. */
const SHORTER = 0.1;
/** One that has gained this share since everybody is late is still growing, which a burst is not by then: it is overload sooner. */
const LONGER = 0.25;
const GROWING_FOR_MS = 250;
/** For so long after the last sign of overload nobody is let wait for long. */
const ON_GUARD_MS = 10_000;
/** And for so long after the last refusal: it is over when nobody had to be refused. */
const REFUSED_MS = 2000;
/** A queue in which nobody was served at once for so long is standing; a shorter one may come from one moment of standstill. */
const STANDING_MS = 100;
/** Under overload nobody should wait for longer than this. */
const STALE_MS = 750;
/** How long a measured wait counts as news. */
const NEWS_MS = 500;

/**
 * Detects overload of one queue by delay, not by a number of requests, as CoDel does (RFC 8289), and by whether the queue becomes shorter: a
 * burst is simply waited out, however long that takes.
 */
export interface DelayGuard {
  /** Somebody was served after so many milliseconds, with so many waiting behind them. */
  waited: (ms: number, behind: number) => void;
  /** Somebody was served at once. */
  passed: () => void;
  /** There is overload, or was a moment ago: where the queue is standing, whoever would wait for long is to be refused. */
  isOn: () => boolean;
  /** Nobody was served at once lately. */
  isStanding: () => boolean;
  /** Somebody was refused, which keeps the guard on: the waits of those who are served are short then and say nothing. */
  refused: () => void;
  /** The last one served had waited for longer than `STALE_MS`, just now. */
  isStale: () => boolean;
}

export function createDelayGuard(now: () => number): DelayGuard {
  let lateSince: number | undefined;
  /** How many waited then, and the most that have since. */
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
      // Without news for a while nobody is known to be late.
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
