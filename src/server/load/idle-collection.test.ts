import { performance } from 'node:perf_hooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { collectWhenIdle } from './idle-collection.ts';

const { gc } = globalThis;
const collect = vi.fn(async () => undefined);
/** The share of the time in which the server works. */
let utilization = 0;
let heapTotal = 100;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  globalThis.gc = collect as unknown as NonNullable<typeof gc>;
  vi.spyOn(performance, 'eventLoopUtilization').mockImplementation(() => ({
    utilization,
    idle: 0,
    active: 0,
  }));
  vi.spyOn(process, 'memoryUsage').mockImplementation((() => ({ heapTotal })) as typeof process.memoryUsage);
});
afterEach(() => {
  globalThis.gc = gc;
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);

test('what a start leaves over is given back at once, what a conversation does only after five minutes of rest', async () => {
  collectWhenIdle();
  await pass(10);
  expect(collect).toHaveBeenCalledTimes(1);
  heapTotal = 200;
  for (let message = 0; message < 3; message += 1) {
    utilization = 0.5;
    await pass(10);
    utilization = 0;
    await pass(290);
  }
  expect(collect).toHaveBeenCalledTimes(1);
  await pass(10);
  expect(collect).toHaveBeenCalledTimes(2);
  // There is nothing more to give back.
  await pass(3600);
  expect(collect).toHaveBeenCalledTimes(2);
});
