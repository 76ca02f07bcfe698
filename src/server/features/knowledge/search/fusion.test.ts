import { expect, test } from 'vitest';
import { fuse } from './fusion.ts';
import { bitsOf, bytesOf, similarityTo } from '../vectors/vectors.ts';

test('words and vectors count by their weights, whatever their ranges', () => {
  const fused = fuse(
    new Map([
      [1, 20],
      [2, 10],
    ]),
    new Map([
      [2, 0.9],
      [3, 0.8],
      [4, 0.7],
    ]),
    0.2,
  );
  expect(fused.get(1)).toBeCloseTo(0.8);
  expect(fused.get(2)).toBeCloseTo(0.4 + 0.2);
  expect(fused.get(3)).toBeCloseTo(0.1);
  expect(fused.get(4)).toBe(0);
});

test('a question without known words is answered by vectors alone, however few and similar', () => {
  expect(fuse(new Map(), new Map([[1, 0.5]]), 0.2).get(1)).toBeCloseTo(0.2);
});

test('a stored vector keeps its similarity, at any offset of its bytes in a message', () => {
  const vector = Float32Array.of(0.6, -0.8, 0);
  const message = Buffer.concat([Buffer.of(7), bytesOf(vector)]);
  expect(similarityTo(vector, message.subarray(1))).toBeCloseTo(1);
  expect(similarityTo(Float32Array.of(-0.8, -0.6, 0), message.subarray(1))).toBeCloseTo(0);
  expect(similarityTo(Float32Array.of(1, 0), message.subarray(1))).toBe(0);
  expect(bytesOf(Float32Array.of(1))).toEqual(Buffer.of(0, 0, 0x80, 0x3f));
  expect(bitsOf(vector)).toBe('100');
});
