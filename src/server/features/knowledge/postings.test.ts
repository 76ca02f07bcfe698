import { expect, test } from 'vitest';
import { appendPosting, BYTES_A_POSTING, Postings } from './postings.ts';

test('what is packed comes out again, from any place of a larger buffer', () => {
  const rows: [number, number, number][] = [
    [1, 1, 1],
    [0xffff_ffff, 255, 65_535],
    [2 ** 40 - 1, 7, 300],
  ];
  const packed: number[] = [];
  for (const row of rows) appendPosting(packed, ...row);
  const bytes = Buffer.concat([Buffer.alloc(3), Buffer.from(Uint32Array.from(packed).buffer)]).subarray(3);
  expect(bytes.length).toBe(rows.length * BYTES_A_POSTING);
  const postings = new Postings(bytes);
  const seen: number[][] = [];
  postings.forEach((...row) => seen.push(row));
  expect(seen).toEqual(rows);
  expect(postings.count).toBe(3);
});

test('counts beyond what fits say the most that does', () => {
  const packed: number[] = [];
  appendPosting(packed, 5, 1000, 100_000);
  new Postings(Buffer.from(Uint32Array.from(packed).buffer)).forEach((...row) =>
    expect(row).toEqual([5, 255, 65_535]),
  );
});
