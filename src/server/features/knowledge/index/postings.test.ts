import { expect, test } from 'vitest';
import { BYTES_A_POSTING, packPosting, Postings, renumbered } from './postings.ts';

test('packed values can be unpacked, from any offset in a larger buffer', () => {
  const rows: [number, number, number][] = [
    [1, 1, 1],
    [0xffff_ffff, 255, 65_535],
    [2 ** 40 - 1, 7, 300],
  ];
  const packed = new Uint32Array(rows.length * 2);
  for (const [index, row] of rows.entries()) packPosting(packed, index * 2, ...row);
  const bytes = Buffer.concat([Buffer.alloc(3), Buffer.from(packed.buffer)]).subarray(3);
  expect(bytes.length).toBe(rows.length * BYTES_A_POSTING);
  const postings = new Postings(bytes);
  const seen: number[][] = [];
  postings.forEach((...row) => seen.push(row));
  expect(seen).toEqual(rows);
  expect(postings.count).toBe(3);
});

test('counts that do not fit are capped at the maximum', () => {
  const packed = new Uint32Array(2);
  packPosting(packed, 0, 5, 1000, 100_000);
  new Postings(Buffer.from(packed.buffer)).forEach((...row) => expect(row).toEqual([5, 255, 65_535]));
});

test.each([1, 2 ** 32 - 2, 2 ** 32, 2 ** 39])('positions become numbers starting at %d', (first) => {
  const packed = new Uint32Array(8);
  for (let place = 0; place < 4; place += 1) packPosting(packed, place * 2, place, 3, 200);
  // Twice: after a rollback it is written again from the same positions.
  renumbered(packed, first + 7);
  const seen: number[][] = [];
  new Postings(Buffer.from(renumbered(packed, first).buffer)).forEach((...row) => seen.push(row));
  expect(seen).toEqual([0, 1, 2, 3].map((place) => [first + place, 3, 200]));
});
