import { createDelayGuard, type DelayGuard } from './delay-guard.ts';

/**
 * While more comes than can be done nobody waits for longer: long enough to keep everything busy, and whoever is let in is
 * served nearly as fast as ever.
 */
const PATIENCE_MS = 100;
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
 * are refused at once (`requireRoom`), and so is who has waited too long.
 */
export function createFairTurns({ atOnce, placeMs, mayPass, now, refuse }: Options) {
  /** The line whose turn is next stands first. */
  const lines = new Map<string, Waiting[]>();
  const guards = new Map<string, DelayGuard>();
  let running = 0;

  function guardOf(key: string): DelayGuard {
    if (guards.size >= GUARDS_MAX)
      for (const [other, guard] of guards) if (!guard.isOn() && !lines.has(other)) guards.delete(other);
    const guard = guards.get(key) ?? createDelayGuard(now);
    guards.set(key, guard);
    return guard;
  }

  function leave(): void {
    const first = lines.entries().next();
    if (first.done) {
      running -= 1;
      return;
    }
    const [key, line] = first.value;
    const next = line.shift();
    lines.delete(key);
    if (line.length > 0) lines.set(key, line);
    next?.begin();
  }

  function requireRoom(key: string): void {
    const [first] = lines.get(key) ?? [];
    if (first && now() - first.since >= PATIENCE_MS && guards.get(key)?.isOn()) refuse();
  }

  async function enter(key: string): Promise<void> {
    if (running < atOnce) {
      running += 1;
      guards.get(key)?.waited(0);
      return;
    }
    requireRoom(key);
    const guard = guardOf(key);
    const line = lines.get(key) ?? [];
    const since = now();
    lines.set(key, line);
    await new Promise<void>((begin) => line.push({ since, begin }));
    const waited = now() - since;
    guard.waited(waited);
    if (waited < PATIENCE_MS || !guard.isOn()) return;
    leave();
    refuse();
  }

  async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    await enter(key);
    let isHeld = true;
    const leaveOnce = (): void => {
      if (isHeld) leave();
      isHeld = false;
    };
    const timer = setInterval(() => {
      if (!mayPass()) return;
      clearInterval(timer);
      leaveOnce();
    }, placeMs);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      leaveOnce();
    }
  }

  return { inTurn, requireRoom };
}
