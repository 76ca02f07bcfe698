import { createDelayGuard, type DelayGuard } from './delay-guard.ts';

/**
 * While more comes than can be done nobody waits for longer: long enough to keep everything busy, and whoever is let in is
 * served nearly as fast as ever. A line that was empty just before does not tell of that: refusing those who wait in it would make
 * them come again, and so go on for ever.
 */
const PATIENCE_MS = 20;
/** Whose guards are remembered before those that are not on are forgotten. */
const GUARDS_MAX = 1000;

interface Options {
  /** So many places there are, each for a group of one line. */
  atOnce: number;
  /** So many of a line may share a place: what they do they do together. */
  groupMax: number;
  /** What has its place for longer waits for something: the place is given to the next, where `mayPass` says so. */
  placeMs: number;
  mayPass: () => boolean;
  now: () => number;
  /** Throws what who is refused is told. */
  refuse: () => never;
}

interface Waiting {
  since: number;
  begin: (place: Place) => void;
}

/** Where a group of a line is let in; it is given on when the last of them has left. */
interface Place {
  key: string;
  inside: number;
  timer: NodeJS.Timeout;
  isHeld: boolean;
}

/**
 * Runs what it is given, a few groups at once. The others wait in a line for each key, in the order of coming, and the lines take
 * turns, one group of each at a time: a long line makes nobody wait but those who stand in it. While more comes in a line than can be
 * done, those who would wait too long are refused at once, and so is who has waited too long.
 */
export class FairTurns {
  readonly #options: Options;
  /** The line whose turn is next stands first. */
  readonly #lines = new Map<string, Waiting[]>();
  /** Lines of which a group has a place. */
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

  /** Refuses who would be refused for the length of the line. */
  requireRoom(key: string): void {
    const [first] = this.#lines.get(key) ?? [];
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
    const line = this.#lines.get(key) ?? [];
    this.#lines.set(key, line);
    const since = now();
    const place = await new Promise<Place>((begin) => line.push({ since, begin }));
    const waited = now() - since;
    guard.waited(waited, line.length);
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

  /** The next group of the first line of which none is in. */
  #letIn(): void {
    const next = this.#lines.entries().find(([key]) => !this.#served.has(key));
    if (!next) return;
    const [key, line] = next;
    const group = line.splice(0, this.#options.groupMax);
    this.#lines.delete(key);
    if (line.length > 0) this.#lines.set(key, line);
    const place = this.#openPlace(key, group.length);
    for (const { begin } of group) begin(place);
  }

  #guardOf(key: string): DelayGuard {
    if (this.#guards.size >= GUARDS_MAX)
      for (const [other, guard] of this.#guards)
        if (!guard.isOn() && !this.#lines.has(other)) this.#guards.delete(other);
    const guard = this.#guards.get(key) ?? createDelayGuard(this.#options.now);
    this.#guards.set(key, guard);
    return guard;
  }
}

function isTooLong(waitedMs: number, guard: DelayGuard): boolean {
  return waitedMs >= PATIENCE_MS && guard.isOn() && guard.isStanding();
}
