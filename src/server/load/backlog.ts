import { AppError } from '../app-error.ts';
import { createDelayGuard } from './delay-guard.ts';
import { FairQueue } from './fair-queue.ts';

/** This many groups of turns at once keep the CPU and the database busy. */
const AT_ONCE = 4;
/** As many of an organization's turns begin together as go to the database in one message (`db/together.ts`). */
const GROUP_MAX = 16;
/**
 * A group takes a few milliseconds to begin. One that takes longer than this is waiting for something the others
 * needn't wait for, unless it is the database. With a much smaller value, an overloaded server would let in ever more
 * groups.
 */
const PLACE_MS = 250;
const RETRY_AFTER_SECONDS = 2;
/** For how many conversations to remember their organization. */
const KNOWN_MAX = 20_000;

/**
 * The turns waiting to begin. Under overload everybody would wait longer and longer and nobody would be served; so some
 * are refused at once (503 with `Retry-After`) and the others are served almost as usual. The refused ones belong to
 * the organization that asks too much, not to others.
 */
export interface Backlog {
  /**
   * Begins a turn in a conversation, a few at a time: the first of many simultaneous messages go on to their models
   * while the others begin. Within an organization the order is first in, first out, and those who have waited begin
   * together; organizations take turns. Errors: 503 for a caller who has waited too long, or would, while their
   * organization asks too much.
   */
  inTurn: <T>(conversationId: string, begin: () => Promise<T>) => Promise<T>;
  /** Records a conversation's organization. A conversation without one has its own queue. */
  belongs: (conversationId: string, organizationId: string) => void;
  /** A conversation's organization, if known here; it may have moved since. */
  ownerOf: (conversationId: string) => string | undefined;
  /** Call when a wait for a database connection begins; call the returned function when it ends. */
  wait: () => () => void;
  /**
   * Errors: 503 while the database is overloaded and a new caller would wait too long; for a caller asking in a
   * conversation, or about to start one in an organization, also when `inTurn` would refuse them.
   */
  requireRoom: (conversationOrOrganizationId?: string) => void;
  /** The number of refusals since the start. */
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
