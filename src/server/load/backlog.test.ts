import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBacklog, type Backlog } from './backlog.ts';
import { createDelayGuard } from './delay-guard.ts';

const busy = { code: 'server/busy', status: 503 };

function atTime() {
  let time = 0;
  const backlog = createBacklog(() => time);
  const pass = (ms: number): void => void (time += ms);
  /** A caller served now has waited this long. */
  const waited = (ms: number): void => {
    pass(-ms);
    const over = backlog.wait();
    pass(ms);
    over();
  };
  return { backlog, pass, waited };
}

test('a burst is waited out, however long that takes, as long as the queue shrinks', () => {
  const { backlog, pass } = atTime();
  for (const over of Array.from({ length: 300 }, () => backlog.wait())) {
    pass(10);
    over();
    expect(() => backlog.requireRoom()).not.toThrow();
  }
});

test('a moment in which everybody is late is waited out', () => {
  const { backlog, pass, waited } = atTime();
  backlog.wait();
  for (let ms = 0; ms < 800; ms += 100) {
    pass(100);
    waited(ms);
    expect(() => backlog.requireRoom()).not.toThrow();
  }
  waited(10);
  pass(100);
  waited(800);
  expect(() => backlog.requireRoom()).not.toThrow();
});

test('when everybody is late, new callers are told to retry until waits are short again', () => {
  const { backlog, pass, waited } = atTime();
  backlog.wait();
  for (const ms of [600, 800, 1000, 1200, 1400]) {
    pass(300);
    waited(ms);
  }
  expect(() => backlog.requireRoom()).toThrow(expect.objectContaining({ code: busy.code }) as Error);
  pass(100);
  waited(50);
  expect(() => backlog.requireRoom()).not.toThrow();
  // It stays on guard: the next one who would wait too long is enough.
  pass(100);
  waited(800);
  expect(() => backlog.requireRoom()).toThrow(expect.objectContaining({ code: busy.code }) as Error);
  // A measurement that isn't repeated becomes stale.
  pass(600);
  expect(() => backlog.requireRoom()).not.toThrow();
  pass(10_000);
  waited(800);
  expect(() => backlog.requireRoom()).not.toThrow();
});

/** The milliseconds of lateness until overload is reported, for a queue that starts at 300 and changes by this much each time. */
function toldAfter(change: number): number {
  let time = 0;
  const guard = createDelayGuard(() => time);
  for (let late = 0; late <= 1000; late += 50) {
    time = late;
    guard.waited(400 + late, 300 + (change * late) / 50);
    if (guard.isOn()) return late;
  }
  return Infinity;
}

test('a growing queue is reported sooner than a steady one, and a shrinking one not at all', () => {
  expect(toldAfter(30)).toBe(250);
  expect(toldAfter(10)).toBe(400);
  expect(toldAfter(0)).toBe(500);
  expect(toldAfter(-5)).toBe(Infinity);
});

/** Tasks that run until released, all of those that have begun at once. */
function works(backlog: Backlog) {
  const begun: string[] = [];
  let ends: (() => void)[] = [];
  const begin = (conversationId: string, name: string) =>
    backlog.inTurn(conversationId, () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.push(() => resolve(name)));
    });
  const endBegun = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    const ending = ends;
    ends = [];
    for (const end of ending) end();
    await new Promise((resolve) => setTimeout(resolve, 1));
  };
  return { begun, begin, endBegun };
}

/** How many tasks of one organization begin together. */
const GROUP = 16;

test('those who come at the same moment begin together, up to a group', async () => {
  const { backlog } = atTime();
  const { begun, begin, endBegun } = works(backlog);
  backlog.wait();
  for (const id of ['a', 'b']) backlog.belongs(`conv_${id}`, 'loud');
  const all = Array.from({ length: GROUP + 1 }, (_, index) =>
    begin(index % 2 ? 'conv_a' : 'conv_b', 'first'),
  );
  await nextRound();
  expect(begun.length).toBe(GROUP);
  await endBegun();
  expect(begun.length).toBe(GROUP + 1);
  await nextRound();
  all.push(begin('conv_a', 'later'));
  await nextRound();
  expect(begun).not.toContain('later');
  await endBegun();
  await endBegun();
  await Promise.all(all);
  expect(begun.at(-1)).toBe('later');
});

test('work starts in order of arrival within an organization, and organizations take turns', async () => {
  const { backlog } = atTime();
  const { begun, begin, endBegun } = works(backlog);
  // Somebody is waiting for the database, so places are held.
  backlog.wait();
  for (const id of ['a', 'b', 'c']) backlog.belongs(`conv_${id}`, 'loud');
  const ask = (index: number) => begin(`conv_${'abc'[index % 3]}`, `loud ${index}`);
  const all = [ask(0)];
  await nextRound();
  for (let index = 1; index < 40; index += 1) all.push(ask(index));
  const quiet = Array.from({ length: 7 }, (_, index) => `quiet ${index}`);
  for (const name of quiet) all.push(begin(name, name));
  for (let index = 0; index < 5; index += 1) await endBegun();
  await Promise.all(all);
  const loud = Array.from({ length: 40 }, (_, index) => `loud ${index}`);
  // There is room for four: the loud organization's first message and three others, then a group of its messages and
  // three more.
  const first = [loud[0], ...quiet.slice(0, 3), ...loud.slice(1, 1 + GROUP), ...quiet.slice(3, 6)];
  expect(begun).toEqual([...first, quiet[6], ...loud.slice(1 + GROUP)]);
});

test('a task that waits frees its place for the next, except while all wait for the database', async () => {
  const { backlog } = atTime();
  const { begun, begin, endBegun } = works(backlog);
  const over = backlog.wait();
  const all = [begin('conv_a', '0')];
  await nextRound();
  for (let index = 1; index < 6; index += 1) all.push(begin('conv_a', String(index)));
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect(begun.length).toBe(1);
  over();
  await expect.poll(() => begun.length).toBe(6);
  await endBegun();
  await Promise.all(all);
});

test('the next whole group begins with the first of the one before, smaller ones after its last, and no more than two at once', async () => {
  const { backlog } = atTime();
  backlog.wait();
  backlog.belongs('conv_a', 'loud');
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const begin = (index: number) =>
    backlog.inTurn('conv_a', () => {
      begun.push(index);
      return new Promise<void>((resolve) => (ends[index] = resolve));
    });
  const end = async (...indexes: number[]): Promise<number> => {
    for (const index of indexes) ends[index]?.();
    await new Promise((resolve) => setTimeout(resolve, 1));
    return begun.length;
  };
  const from = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);
  const all = [begin(0)];
  await nextRound();
  all.push(...from(1, 3 * GROUP + 2).map(begin));
  expect(await end()).toBe(1);
  expect(await end(0)).toBe(1 + GROUP);
  expect(await end(1)).toBe(1 + 2 * GROUP);
  // The second group's first is served, but some of the first group are not yet.
  expect(await end(1 + GROUP)).toBe(1 + 2 * GROUP);
  expect(await end(...from(2, GROUP - 1))).toBe(1 + 3 * GROUP);
  // Only two are waiting.
  expect(await end(1 + 2 * GROUP, ...from(2 + GROUP, GROUP - 1))).toBe(1 + 3 * GROUP);
  expect(await end(...from(2 + 2 * GROUP, GROUP - 1))).toBe(3 + 3 * GROUP);
  await end(...from(1 + 3 * GROUP, 2));
  await Promise.all(all);
  expect(begun).toEqual(from(0, 3 + 3 * GROUP));
});

test('an organization that exceeds the capacity is told to retry, and no other', async () => {
  const { backlog, pass } = atTime();
  const { begin, endBegun } = works(backlog);
  backlog.wait();
  backlog.belongs('conv_l', 'loud');
  const outcomes: string[] = [];
  const ask = (id: string): void =>
    void begin(id, id).then(
      (name) => outcomes.push(name),
      (error: { code: string }) => outcomes.push(error.code),
    );
  for (let round = 0; round < 10; round += 1) {
    for (let index = 0; index < 2 * GROUP; index += 1) ask('conv_l');
    pass(300);
    await endBegun();
  }
  // A caller who has waited too long is told so, and those behind are told at once.
  await endBegun();
  expect(outcomes).toContain(busy.code);
  const before = outcomes.length;
  ask('conv_l');
  await nextRound();
  for (let index = 0; index < 5; index += 1) ask('conv_l');
  pass(800);
  ask('conv_l');
  await endBegun();
  expect(outcomes.slice(before)).toContain(busy.code);
  expect(backlog.refused()).toBeGreaterThan(0);
  ask('conv_q');
  for (let round = 0; round < 20; round += 1) await endBegun();
  expect(outcomes).toContain('conv_q');
});

test('while some are refused, no new caller waits long to learn of the overload', async () => {
  const { backlog, pass } = atTime();
  const { begin, endBegun } = works(backlog);
  backlog.wait();
  backlog.belongs('conv_l', 'loud');
  const waits: number[] = [];
  let time = 0;
  let refused = 0;
  const ask = (): void => {
    const since = time;
    void begin('conv_l', 'l').then(
      () => waits.push(time - since),
      () => (refused += 1),
    );
  };
  // One group is served every hundred milliseconds while three groups ask, for half a minute.
  for (let round = 0; round < 300; round += 1) {
    for (let index = 0; index < 3 * GROUP; index += 1) ask();
    pass(100);
    time += 100;
    await endBegun();
    if (round === 100) waits.length = 0;
  }
  expect(refused).toBeGreaterThan(300 * GROUP);
  expect(Math.max(...waits)).toBeLessThan(600);
});

test('once nearly everybody is served at once, a stall refuses nobody, even while still on guard', async () => {
  const { backlog, pass } = atTime();
  const { begin, endBegun } = works(backlog);
  backlog.wait();
  backlog.belongs('conv_l', 'loud');
  const ask = (): void => void begin('conv_l', 'l').catch(() => undefined);
  for (let round = 0; round < 20; round += 1) {
    for (let index = 0; index < 3 * GROUP; index += 1) ask();
    pass(100);
    await endBegun();
  }
  expect(backlog.refused()).toBeGreaterThan(0);
  // The queue is drained, and later callers find none.
  for (let round = 0; round < 5; round += 1) await endBegun();
  const before = backlog.refused();
  for (let round = 0; round < 50; round += 1) {
    ask();
    ask();
    pass(60);
    await endBegun();
    await endBegun();
  }
  expect(backlog.refused()).toBe(before);
});

test('an empty queue has room, however long others have waited', () => {
  const { backlog, pass, waited } = atTime();
  for (const ms of [600, 800, 1000, 1200, 1400]) {
    pass(300);
    waited(ms);
  }
  expect(() => backlog.requireRoom()).not.toThrow();
  const over = backlog.wait();
  expect(() => backlog.requireRoom()).toThrow(expect.objectContaining({ code: busy.code }) as Error);
  over();
  expect(() => backlog.requireRoom()).not.toThrow();
});
