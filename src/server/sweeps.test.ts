import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LONG_REST, startSweeps, type Sweep } from './sweeps.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const EVERY_MS = 1000;

/** The start times, within a minute, of a sweep that takes this long. */
async function beginsOf(tookMs: number, how: Partial<Sweep> = {}): Promise<number[]> {
  const began = performance.now();
  const begins: number[] = [];
  const sweeps = startSweeps(pino({ level: 'silent' }), [
    {
      name: 'test',
      everyMs: EVERY_MS,
      ...how,
      run: () => {
        begins.push(performance.now() - began);
        return new Promise((resolve) => setTimeout(resolve, tookMs));
      },
    },
  ]);
  await vi.advanceTimersByTimeAsync(60_000);
  await Promise.all([sweeps.stop(), vi.advanceTimersByTimeAsync(tookMs)]);
  return begins;
}

test('a quick sweep runs every time', async () => {
  expect(await beginsOf(10)).toHaveLength(60);
});

test('a slow sweep pauses for four times its duration', async () => {
  const begins = await beginsOf(3000);
  expect(begins.slice(0, 3)).toEqual([EVERY_MS, EVERY_MS + 15_000, EVERY_MS + 30_000]);
});

test('a low-priority sweep pauses for longer', async () => {
  const begins = await beginsOf(2000, { rest: LONG_REST });
  expect(begins.slice(0, 3)).toEqual([EVERY_MS, EVERY_MS + 22_000, EVERY_MS + 44_000]);
});

test('stopping does not wait for an endless sweep', async () => {
  const sweeps = startSweeps(pino({ level: 'silent' }), [
    { name: 'test', everyMs: EVERY_MS, run: () => new Promise(() => undefined) },
  ]);
  await vi.advanceTimersByTimeAsync(2 * EVERY_MS);
  let isStopped = false;
  void sweeps.stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(4999);
  expect(isStopped).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isStopped).toBe(true);
});
