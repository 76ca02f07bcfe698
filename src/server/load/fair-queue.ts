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

/** Held by a group from one queue, and passed on when the last of them has left. */
interface Place {
  key: string;
  inside: number;
  timer: NodeJS.Timeout;
  isHeld: boolean;
}

/**
 * Fair queuing with load shedding. A few groups run at once; the rest wait in one first-in, first-out queue per key,
 * and the queues take turns, one group from each at a time: a long queue delays only those in it. While a queue is
 * overloaded, those who would wait too long, or already have, are refused at once.
 */
export class FairQueue {
  readonly #options: Options;
  /** The next queue to be served comes first. */
  readonly #queues = new Map<string, Waiting[]>();
  /** The keys of queues with a group in a place. */
  readonly #served = new Set<string>();
  readonly #guards = new Map<string, DelayGuard>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Errors: those of `refuse`. */
  async inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const place = await this.#enter(key);
    return work().finally(() => this.#leave(place));
  }

  /** Refuses a caller who would be refused now because of the queue's length. */
  requireRoom(key: string): void {
    const [first] = this.#queues.get(key) ?? [];
    const guard = this.#guards.get(key);
    if (first && guard && isTooLong(this.#options.now() - first.since, guard)) this.#refuse(guard);
  }

  async #enter(key: string): Promise<Place> {
    const { atOnce, now } = this.#options;
    if (this.#served.size < atOnce && !this.#served.has(key)) {
      this.#guards.get(key)?.passed();
      return this.#openPlace(key, 1);
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

  #refuse(guard: DelayGuard): never {
    guard.refused();
    return this.#options.refuse();
  }

  #openPlace(key: string, inside: number): Place {
    const { mayPass, placeMs } = this.#options;
    this.#served.add(key);
    const timer = setInterval(() => {
      if (mayPass()) this.#giveOn(place);
    }, placeMs);
    const place = { key, inside, timer, isHeld: true };
    return place;
  }

  #leave(place: Place): void {
    place.inside -= 1;
    if (place.inside === 0) this.#giveOn(place);
  }

  #giveOn(place: Place): void {
    clearInterval(place.timer);
    if (!place.isHeld) return;
    place.isHeld = false;
    this.#served.delete(place.key);
    this.#letIn();
  }

  /** Lets in the next group of the first queue that has none inside. */
  #letIn(): void {
    const next = this.#queues.entries().find(([key]) => !this.#served.has(key));
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
