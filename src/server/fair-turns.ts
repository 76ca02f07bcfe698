import { createDelayGuard, type DelayGuard } from './delay-guard.ts';

/**
 * While more comes than can be done nobody waits for longer: long enough to keep everything busy, and whoever is let in is
 * served nearly as fast as ever.
 */
const PATIENCE_MS = 20;
/** Whose guards are remembered before those that are not on are forgotten. */
const GUARDS_MAX = 1000;

interface Options {
  atOnce: number;
  /** What has its place for longer waits for something: the place is given to the next, where `mayPass` says so. */
  placeMs: number;
  mayPass: () => boolean;
  now: () => number;
  /** Throws what who is refused is told. */
  refuse: () => never;
}

interface Waiting {
  since: number;
  begin: () => void;
}

/**
 * Runs what it is given, a few at once. The others wait in a line for each key, in the order of coming, and the lines take turns: a
 * long line makes nobody wait but those who stand in it. While more comes in a line than can be done, those who would wait too long
 * are refused at once, and so is who has waited too long.
 */
export class FairTurns {
  readonly #options: Options;
  /** The line whose turn is next stands first. */
  readonly #lines = new Map<string, Waiting[]>();
  readonly #guards = new Map<string, DelayGuard>();
  #running = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Errors: those of `refuse`. */
  async inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    await this.#enter(key);
    const { mayPass, placeMs } = this.#options;
    let isHeld = true;
    const leave = (): void => {
      clearInterval(timer);
      if (isHeld) this.#leave();
      isHeld = false;
    };
    const timer = setInterval(() => {
      if (mayPass()) leave();
    }, placeMs);
    return work().finally(leave);
  }

  /** Refuses who would be refused for the length of the line. */
  requireRoom(key: string): void {
    const [first] = this.#lines.get(key) ?? [];
    const guard = this.#guards.get(key);
    if (first && guard && isTooLong(this.#options.now() - first.since, guard)) this.#refuse(guard);
  }

  async #enter(key: string): Promise<void> {
    const { atOnce, now } = this.#options;
    if (this.#running < atOnce) {
      this.#running += 1;
      this.#guards.get(key)?.waited(0, 0);
      return;
    }
    this.requireRoom(key);
    const guard = this.#guardOf(key);
    const line = this.#lines.get(key) ?? [];
    this.#lines.set(key, line);
    const since = now();
    await new Promise<void>((begin) => line.push({ since, begin }));
    const waited = now() - since;
    guard.waited(waited, line.length);
    if (!isTooLong(waited, guard)) return;
    this.#leave();
    this.#refuse(guard);
  }

  #refuse(guard: DelayGuard): never {
    guard.refused();
    return this.#options.refuse();
  }

  #leave(): void {
    const first = this.#lines.entries().next();
    if (first.done) {
      this.#running -= 1;
      return;
    }
    const [key, line] = first.value;
    const next = line.shift();
    this.#lines.delete(key);
    if (line.length > 0) this.#lines.set(key, line);
    next?.begin();
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
  return waitedMs >= PATIENCE_MS && guard.isOn();
}
