import { setTimeout as wait } from 'node:timers/promises';

/** So many people of an account are known by name, the last ones met. */
const NAMES_MAX = 1000;

/**
 * What people are called, asked once for each. It never fails and never takes longer than `waitMs`: who is not known is called
 * by their id, until they are met again.
 */
export function createNames(
  ask: (person: string) => Promise<string | undefined>,
  waitMs: number,
): (person: string) => Promise<string> {
  const known = new Map<string, string>();
  return async (person) => {
    const name = known.get(person) ?? (await inTime(ask(person), waitMs)) ?? person;
    known.delete(person);
    if (name !== person) known.set(person, name);
    const [oldest] = known.keys();
    if (known.size > NAMES_MAX && oldest !== undefined) known.delete(oldest);
    return name;
  };
}

function inTime<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  return Promise.race([work.catch(() => undefined), wait(ms, undefined, { ref: false })]);
}
