import { expect, test } from 'vitest';
import { within } from './pdf-bounds.ts';

const LIMIT_MS = 200;
const read = (work: () => Promise<string>) => within(LIMIT_MS, work, () => new Error('too long'));

/** Simulates a busy machine that grants no CPU time. */
const wait = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

async function work(): Promise<string> {
  const before = process.cpuUsage();
  while (process.cpuUsage(before).user < 2 * LIMIT_MS * 1000);
  return 'half a page';
}

test('a page waiting for CPU is read as on an idle machine, and one that uses up its time is refused', async () => {
  const waiting = async () => {
    wait(2 * LIMIT_MS);
    return 'a page';
  };
  expect(await read(waiting)).toBe('a page');
  await expect(read(work)).rejects.toThrow('too long');
  expect(await read(waiting)).toBe('a page');
});

test('a page that never comes is given up', async () => {
  await expect(read(() => new Promise(() => {}))).rejects.toThrow('too long');
});
