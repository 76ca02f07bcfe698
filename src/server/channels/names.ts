import { setTimeout as wait } from 'node:timers/promises';

/** How many people's names are cached per account, most recently seen. */
const NAMES_MAX = 1000;

/**
 * People's names, looked up once each. Never fails and never takes longer than `waitMs`: an unknown person is called by
 * their id until they are seen again.
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
