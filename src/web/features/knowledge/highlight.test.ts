import { expect, test } from 'vitest';
import { highlight } from './highlight.ts';

const matchesIn = (text: string, terms: string[]) =>
  highlight(text, terms)
    .filter(({ isMatch }) => isMatch)
    .map((part) => part.text);

test('words that begin with a term are marked, whole and in either case', () => {
  expect(matchesIn('Lanterns and a lantern, no slantern.', ['lantern'])).toEqual(['Lanterns', 'lantern']);
  expect(matchesIn('A happy city', ['happi', 'citi'])).toEqual(['happy', 'city']);
});

test('nothing of the text is lost', () => {
  const text = 'Model a.b (new) costs 5 €.';
  const parts = highlight(text, ['a.b', '(new', '5']);
  expect(parts.map((part) => part.text).join('')).toBe(text);
});

test('signs in a term mean themselves', () => {
  expect(matchesIn('c++ and c', ['c++'])).toEqual(['c++']);
  expect(matchesIn('state-of-the-art', ['state-of'])).toEqual(['state-of']);
});

test('terms of a writing without spaces are found inside of it', () => {
  expect(matchesIn('東京都に住む', ['京都'])).toEqual(['京都']);
});
