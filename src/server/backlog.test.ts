import { expect, test } from 'vitest';
import { createBacklog } from './backlog.ts';

const busy = { code: 'server/busy', status: 503 };

function atTime() {
  let time = 0;
  const backlog = createBacklog(() => time);
  const pass = (ms: number): void => void (time += ms);
  /** Somebody whose turn comes now has waited for so long. */
  const waited = (ms: number): void => {
    pass(-ms);
    const over = backlog.wait();
    pass(ms);
    over();
  };
  return { backlog, pass, waited };
}

test('a burst is waited out: nobody is refused who was late for a moment', () => {
  const { backlog, pass, waited } = atTime();
  backlog.wait();
  for (let ms = 0; ms < 900; ms += 100) {
    pass(100);
    waited(ms);
    expect(() => backlog.requireRoom()).not.toThrow();
  }
  waited(10);
  pass(100);
  waited(800);
  expect(() => backlog.requireRoom()).not.toThrow();
});

test('when everybody is late, who comes is told to come again, until the waiting is short again', () => {
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
  // It stays on guard: the next who would wait too long is enough.
  pass(100);
  waited(800);
  expect(() => backlog.requireRoom()).toThrow(expect.objectContaining({ code: busy.code }) as Error);
  // What nobody says any more is no news.
  pass(600);
  expect(() => backlog.requireRoom()).not.toThrow();
  pass(10_000);
  waited(800);
  expect(() => backlog.requireRoom()).not.toThrow();
});

test('what waits in turn is begun in order', async () => {
  const backlog = createBacklog();
  const begun: number[] = [];
  const works = Array.from({ length: 12 }, (_, index) =>
    backlog.inTurn(async () => {
      begun.push(index);
      return index;
    }),
  );
  expect(await Promise.all(works)).toEqual([...begun].sort((a, b) => a - b));
  await expect(backlog.inTurn(async () => 'at once')).resolves.toBe('at once');
});

test('where nobody waits there is room, however long others have waited', () => {
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
