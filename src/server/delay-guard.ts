/** Who waits longer before anything is done for them is late. */
const LATE_MS = 300;
/** When everybody has been late for so long, and the line has not become shorter meanwhile, more comes than can be done. */
const LATE_FOR_MS = 500;
/** A line that has lost this part of its length since it was longest is a burst that is being worked off. */
const SHORTER = 0.1;
/** One that has gained this part since everybody is late still grows, which a burst has done by then: it is not watched for as long. */
const LONGER = 0.25;
const GROWING_FOR_MS = 250;
/** So long after the last such moment it is watched that nobody waits for long. */
const ON_GUARD_MS = 10_000;
/** And so long after the last one was refused: it is over when nobody had to be. */
const REFUSED_MS = 2000;
/** A line in which nobody's turn came at once for so long stands; before that it may be of a moment in which nothing could be done. */
const STANDING_MS = 100;
/** From then on nobody should wait for longer than this. */
const STALE_MS = 750;
/** How somebody waited is news for so long. */
const NEWS_MS = 500;

/**
 * Tells of one line whether more comes than can be done. It is the delay that tells, not a number of requests, as in CoDel (RFC
 * 8289), and whether those behind become fewer: a burst is simply waited out, however long that takes.
 */
export interface DelayGuard {
  /** Somebody's turn has come after so many milliseconds, while so many wait behind them. */
  waited: (ms: number, behind: number) => void;
  /** Somebody's turn has come at once. */
  passed: () => void;
  /** Everybody is late, or was a moment ago: who would wait for long is to be refused, where the line stands. */
  isOn: () => boolean;
  /** Nobody's turn has come at once lately. */
  isStanding: () => boolean;
  /** Somebody was refused, so that it goes on: who is served has not waited for long, and their waiting tells nothing. */
  refused: () => void;
  /** The last one whose turn came had waited for longer than `STALE_MS`, just now. */
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
