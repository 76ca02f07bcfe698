import { AppError } from './app-error.ts';
import { createDelayGuard } from './delay-guard.ts';
import { FairTurns } from './fair-turns.ts';

/** So many groups of turns keep processor and database busy. */
const AT_ONCE = 4;
/** As many of an organization are begun together as go to the database in one message (`db/together.ts`). */
const GROUP_MAX = 16;
/**
 * A group takes a few milliseconds to begin. One that takes longer than this waits for something, for which the others need not wait,
 * unless it is the database that all wait for. Much less, and a server with too much to do would let in ever more of them.
 */
const PLACE_MS = 250;
const RETRY_AFTER_SECONDS = 2;
/** So many conversations are known by their organizations. */
const KNOWN_MAX = 20_000;

/**
 * What waits to be begun. When more comes than can be done, everybody would wait longer and longer and nobody be served; then
 * some are told at once to come again (503 with `Retry-After`), and the others are served nearly as before; those of an
 * organization that asks too much, not the others.
 */
export interface Backlog {
  /**
   * Begins to answer in a conversation, a few at once: the first of many messages that come together go on to their models while
   * the others are begun. In the order of coming within an organization, of which those who have waited are begun together, and the
   * organizations take turns. Errors: 503 for who has waited too long, or would, while more comes of an organization than can be done.
   */
  inTurn: <T>(conversationId: string, begin: () => Promise<T>) => Promise<T>;
  /** A conversation of which it is not known whose it is has a line of its own. */
  belongs: (conversationId: string, organizationId: string) => void;
  /** Whose a conversation is, as far as it is known here; it can have moved since. */
  ownerOf: (conversationId: string) => string | undefined;
  /** Somebody begins to wait for a connection to the database; what it returns is called when their turn has come. */
  wait: () => () => void;
  /**
   * Errors: 503 while more comes than the database can do, and whoever comes now would wait too long, behind others who do; for
   * who asks in a conversation, or is about to in a new one of an organization, also when `inTurn` would refuse them.
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
  const turns = new FairTurns({
    atOnce: AT_ONCE,
    groupMax: GROUP_MAX,
    placeMs: PLACE_MS,
    mayPass,
    now,
    refuse,
  });
  const lineOf = (conversationId: string): string => known.get(conversationId) ?? conversationId;
  return {
    inTurn: (conversationId, begin) => turns.inTurn(lineOf(conversationId), begin),
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
      if (id !== undefined) turns.requireRoom(lineOf(id));
      if (waiting > 0 && database.isOn() && database.isStale()) refuse();
    },
    refused: () => refused,
  };
}
