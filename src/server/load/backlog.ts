import { AppError } from '../app-error.ts';
import { createDelayGuard } from './delay-guard.ts';
import { FairQueue } from './fair-queue.ts';

/** So many groups of turns at once keep processor and database busy. */
const AT_ONCE = 4;
/** As many turns of an organization begin together as go to the database in one message (`db/together.ts`). */
const GROUP_MAX = 16;
/**
 * A group takes a few milliseconds to begin. One that takes longer than this is waiting for something that the others need not wait for,
 * unless it is the database. With much less, an overloaded server would let in ever more groups.
 */
const PLACE_MS = 250;
const RETRY_AFTER_SECONDS = 2;
/** For so many conversations it is remembered which organization they belong to. */
const KNOWN_MAX = 20_000;

/**
 * The turns that wait to begin. Under overload everybody would wait longer and longer and nobody be served; so some are refused at once
 * (503 with `Retry-After`) and the others are served nearly as before. Those of the organization that asks too much are refused, not the
 * others.
 */
export interface Backlog {
  /**
   * Begins a turn in a conversation, a few at once: the first of many messages that arrive together go on to their models while
   * the others begin. Within an organization the order is first in, first out, and those who have waited begin together; the
   * organizations take turns. Errors: 503 for whoever has waited too long, or would, while their organization asks for too much.
   */
  inTurn: <T>(conversationId: string, begin: () => Promise<T>) => Promise<T>;
  /** Says whose a conversation is. One of which this is not known has a queue of its own. */
  belongs: (conversationId: string, organizationId: string) => void;
  /** Whose a conversation is, as far as is known here; it may have moved since. */
  ownerOf: (conversationId: string) => string | undefined;
  /** Somebody begins to wait for a connection to the database; the function it returns is called when the wait is over. */
  wait: () => () => void;
  /**
   * Errors: 503 while the database is overloaded and whoever comes now would wait too long; for whoever asks in a conversation, or is
   * about to in a new one of an organization, also when `inTurn` would refuse them.
   */
  requireRoom: (conversationOrOrganizationId?: string) => void;
  /** How many were refused since the start. */
  refused: () => number;
}

export function createBacklog(now: () => number = () => performance.now()): Backlog {
  const database = createDelayGuard(now);
  const known = new Map<string, string>();
  let waiting = 0;
  let refused = 0;
  const refuse = (): never => {
    refused += 1;
    throw new AppError('server/busy', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  };
  const mayPass = (): boolean => waiting === 0;
  const queue = new FairQueue({
    atOnce: AT_ONCE,
    groupMax: GROUP_MAX,
    placeMs: PLACE_MS,
    mayPass,
    now,
    refuse,
  });
  const queueOf = (conversationId: string): string => known.get(conversationId) ?? conversationId;
  return {
    inTurn: (conversationId, begin) => queue.inTurn(queueOf(conversationId), begin),
    belongs: (conversationId, organizationId) => {
      known.delete(conversationId);
      known.set(conversationId, organizationId);
      const [oldest] = known.keys();
      if (known.size > KNOWN_MAX && oldest !== undefined) known.delete(oldest);
    },
    ownerOf: (conversationId) => known.get(conversationId),
    wait: () => {
      const since = now();
      waiting += 1;
      return () => {
        waiting -= 1;
        database.waited(now() - since, waiting);
      };
    },
    requireRoom: (id) => {
      if (id !== undefined) queue.requireRoom(queueOf(id));
      if (waiting > 0 && database.isOn() && database.isStale()) refuse();
    },
    refused: () => refused,
  };
}
