import { createDelayGuard, type DelayGuard } from './delay-guard.ts';

/**
 * The longest wait under overload: long enough to keep everything busy, and short enough that those let in are served
 * nearly as fast as usual. Does not apply to a queue that was empty just before: refusing callers who wait in it would
 * make them return, and so never end.
 */
const PATIENCE_MS = 20;
/** The most keys with guards; beyond that, guards that are off are dropped. */
const GUARDS_MAX = 1000;

interface Options {
  /** The number of places, each for a group from one queue. */
  atOnce: number;
  /** How many from one queue may share a place: they are served together. */
  groupMax: number;
  /** A group that holds its place longer is waiting for something: the place goes to the next one, if `mayPass` allows it. */
  placeMs: number;
  mayPass: () => boolean;
  now: () => number;
  /** Throws the error for a refused caller. */
  refuse: () => never;
}

interface Waiting {
  since: number;
  begin: (place: Place) => void;
}

/**
 * Held by a group from one queue. Those who come in the same round of the event loop belong to the group while there is
 * room, so that the first of a crowd doesn't make the others wait for a round trip of its own. It is passed on when all
 * of them have been served. If a whole group is waiting behind them, it is passed on when the first has been, because
 * the others are about to be; but no more than two groups of a queue are served at once.
 */
interface Place {
  key: string;
  inside: number;
  isGathering: boolean;
  hasServed: boolean;
  timer: NodeJS.Timeout;
}

/**
 * Fair queuing with load shedding. A few groups run at once; the rest wait in one first-in, first-out queue per key,
 * and the queues take turns, one group from each at a time: a long queue delays only those in it. What a group waits for
 * overlaps with what is done for the one before. While a queue is overloaded, those who would wait too long, or already
 * have, are refused at once.
 */
export class FairQueue {
  readonly #options: Options;
  /** The next queue to be served comes first. */
  readonly #queues = new Map<string, Waiting[]>();
  /** By key: the place of the group that is being served. */
  readonly #places = new Map<string, Place>();
  /** By key: the group that has given up its place, some of whom are still being served. */
  readonly #leaving = new Map<string, Place>();
  readonly #guards = new Map<string, DelayGuard>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Errors: those of `refuse`. */
  async inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const place = await this.#enter(key);
    return work().finally(() => {
      place.hasServed = true;
      this.#leave(place);
    });
  }

  /** Refuses a caller who would be refused now because of the queue's length. */
  requireRoom(key: string): void {
    const [first] = this.#queues.get(key) ?? [];
    const guard = this.#guards.get(key);
    if (first && guard && isTooLong(this.#options.now() - first.since, guard)) this.#refuse(guard);
  }

  async #enter(key: string): Promise<Place> {
    const { atOnce, now } = this.#options;
    const open = this.#places.get(key);
    if (open ? this.#mayJoin(open) : this.#places.size < atOnce) {
      this.#guards.get(key)?.passed();
      if (!open) return this.#openPlace(key, 1);
      open.inside += 1;
      return open;
    }
    this.requireRoom(key);
    const guard = this.#guardOf(key);
    const queue = this.#queues.get(key) ?? [];
    this.#queues.set(key, queue);
    const since = now();
    const place = await new Promise<Place>((begin) => queue.push({ since, begin }));
    const waited = now() - since;
    guard.waited(waited, queue.length);
    if (!isTooLong(waited, guard)) return place;
    this.#leave(place);
    return this.#refuse(guard);
  }

  #mayJoin({ key, isGathering, inside }: Place): boolean {
    return isGathering && inside < this.#options.groupMax && !this.#queues.has(key);
  }

  #refuse(guard: DelayGuard): never {
    guard.refused();
    return this.#options.refuse();
  }

  #openPlace(key: string, inside: number): Place {
    const { mayPass, placeMs } = this.#options;
    const timer = setInterval(() => {
      if (mayPass()) this.#giveOn(place);
    }, placeMs);
    const place = { key, inside, isGathering: true, hasServed: false, timer };
    setImmediate(() => (place.isGathering = false));
    this.#places.set(key, place);
    return place;
  }

  #leave(place: Place): void {
    const { key } = place;
    place.inside -= 1;
    if (place.inside === 0 && this.#leaving.get(key) === place) {
      this.#leaving.delete(key);
      const next = this.#places.get(key);
      if (next?.hasServed && this.#isGroupWaiting(key)) this.#passOn(next);
    } else if (place.inside === 0) this.#giveOn(place);
    else if (place.hasServed && this.#isGroupWaiting(key) && !this.#leaving.has(key)) this.#passOn(place);
  }

  #isGroupWaiting(key: string): boolean {
    return (this.#queues.get(key)?.length ?? 0) >= this.#options.groupMax;
  }

  /** Another group of its queue may come while the rest of this one is served. */
  #passOn(place: Place): void {
    if (this.#places.get(place.key) !== place) return;
    this.#leaving.set(place.key, place);
    this.#giveOn(place);
  }

  #giveOn(place: Place): void {
    clearInterval(place.timer);
    if (this.#places.get(place.key) !== place) return;
    this.#places.delete(place.key);
    this.#letIn();
  }

  /** Lets in the next group of the first queue that has none inside. */
  #letIn(): void {
    const next = this.#queues.entries().find(([key]) => !this.#places.has(key));
    if (!next) return;
    const [key, queue] = next;
    const group = queue.splice(0, this.#options.groupMax);
    this.#queues.delete(key);
    if (queue.length > 0) this.#queues.set(key, queue);
    const place = this.#openPlace(key, group.length);
    for (const { begin } of group) begin(place);
  }

  #guardOf(key: string): DelayGuard {
    if (this.#guards.size >= GUARDS_MAX)
      for (const [other, guard] of this.#guards)
        if (!guard.isOn() && !this.#queues.has(other)) this.#guards.delete(other);
    const guard = this.#guards.get(key) ?? createDelayGuard(this.#options.now);
    this.#guards.set(key, guard);
    return guard;
  }
}

function isTooLong(waitedMs: number, guard: DelayGuard): boolean {
  return waitedMs >= PATIENCE_MS && guard.isOn() && guard.isStanding();
}
