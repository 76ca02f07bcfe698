import { AppError } from './app-error.ts';
import { createTurns } from './turns.ts';

/** So many turns keep processor and database busy. */
const AT_ONCE = 4;
/** A turn that takes longer to begin waits for something: the others need not. */
const PLACE_MS = 10;
/** Who waits longer before anything is done for them is late. */
const LATE_MS = 500;
/** When everybody has been late for so long, more comes than can be done: a burst would be over. */
const LATE_FOR_MS = 1000;
/** From then on nobody is let in who would wait for longer than this. */
const STALE_MS = 750;
/** So long after the last such moment. */
const ON_GUARD_MS = 10_000;
/** How somebody waited is news for so long. */
const NEWS_MS = 500;
const RETRY_AFTER_SECONDS = 2;

/**
 * What waits to be begun. When more comes than can be done, everybody would wait longer and longer and nobody be served; then
 * some are told at once to come again (503 with `Retry-After`), and the others are served nearly as before. It is the delay that
 * tells, not a number of requests, as in CoDel (RFC 8289): a short burst is simply waited out.
 */
export interface Backlog {
  /**
   * Begins in the order of coming, a few at once: the first of many messages that come together go on to their models while the
   * others are begun. Errors: 503 for who has waited too long while more comes than can be done.
   */
  inTurn: <T>(begin: () => Promise<T>) => Promise<T>;
  /** Somebody begins to wait, for a connection to the database say; what it returns is called when their turn has come. */
  wait: () => () => void;
  /** Errors: 503 while more comes than can be done, and whoever comes now would wait too long, behind others who do. */
  requireRoom: () => void;
  /** How many were refused since the start. */
  refused: () => number;
}

export function createBacklog(now: () => number = () => performance.now()): Backlog {
  let lateSince: number | undefined;
  let heardAt = -Infinity;
  let guardUntil = -Infinity;
  let staleAt = -Infinity;
  let waiting = 0;
  let refused = 0;
  const waited = (ms: number): void => {
    const at = now();
    waiting -= 1;
    // Without news for a while nobody is known to be late.
    if (ms < LATE_MS || at - heardAt > LATE_FOR_MS) lateSince = undefined;
    if (ms >= LATE_MS) lateSince ??= at;
    heardAt = at;
    if (lateSince !== undefined && at - lateSince >= LATE_FOR_MS) guardUntil = at + ON_GUARD_MS;
    staleAt = ms >= STALE_MS ? at : -Infinity;
  };
  const refuse = (): never => {
    refused += 1;
    throw new AppError('server/busy', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  };
  const isOnGuard = (): boolean => now() < guardUntil;
  const turns = createTurns(AT_ONCE, {
    placeMs: PLACE_MS,
    admit: (ms) => {
      waited(ms);
      if (ms >= STALE_MS && isOnGuard()) refuse();
    },
  });
  return {
    inTurn: (begin) => {
      waiting += 1;
      return turns(begin);
    },
    wait: () => {
      const since = now();
      waiting += 1;
      return () => waited(now() - since);
    },
    refused: () => refused,
    requireRoom: () => {
      if (isOnGuard() && waiting > 0 && now() - staleAt < NEWS_MS) refuse();
    },
  };
}
