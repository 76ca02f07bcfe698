import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { zipOf } from './zip.ts';

const MIB = 1024 * 1024;

test('a ZIP of any size is written without keeping what is already in it', async () => {
  const entries = Array.from({ length: 64 }, (_, number) => ({
    name: String(number),
    compress: false,
    open: async () => Readable.from([Buffer.alloc(8 * MIB, number)]),
  }));
  const before = process.memoryUsage().arrayBuffers;
  let [bytes, most] = [0, 0];
  for await (const chunk of zipOf(entries) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  expect(bytes).toBeGreaterThan(512 * MIB);
  expect(most).toBeLessThan(256 * MIB);
});
