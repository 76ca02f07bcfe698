import { expect, test } from 'vitest';
import { mayBeMisspelt, mostSimilar } from './similar.ts';

const known = [
  { term: 'refund', holding: 3 },
  { term: 'reform', holding: 9 },
  { term: 'return', holding: 20 },
  { term: 'maastricht', holding: 1 },
];

test('a misspelled word is matched to the nearest known one, and a foreign word to none', () => {
  expect(mostSimilar('refnd', known)).toBe('refund');
  expect(mostSimilar('maastrich', known)).toBe('maastricht');
  expect(mostSimilar('refine', known)).toBeUndefined();
});

test('short words, numbers and characters without spaces are not corrected', () => {
  expect(['abc', 'a1b2c3', '联赛联赛', '~abcd'].map(mayBeMisspelt)).toEqual([false, false, false, false]);
});
