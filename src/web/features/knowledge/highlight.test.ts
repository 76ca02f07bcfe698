import { expect, test } from 'vitest';
import { highlight } from './highlight.ts';

const matchesIn = (text: string, terms: string[]) =>
  highlight(text, terms)
    .filter(({ isMatch }) => isMatch)
    .map((part) => part.text);

test('words that start with a term are marked whole, in either case', () => {
  expect(matchesIn('Lanterns and a lantern, no slantern.', ['lantern'])).toEqual(['Lanterns', 'lantern']);
  expect(matchesIn('A happy city', ['happi', 'citi'])).toEqual(['happy', 'city']);
});

test('no text is lost', () => {
  const text = 'Model a.b (new) costs 5 €.';
  const parts = highlight(text, ['a.b', '(new', '5']);
  expect(parts.map((part) => part.text).join('')).toBe(text);
});

test('special characters in a term are literal', () => {
  expect(matchesIn('c++ and c', ['c++'])).toEqual(['c++']);
  expect(matchesIn('state-of-the-art', ['state-of'])).toEqual(['state-of']);
});

test('terms are found inside text in scripts without spaces', () => {
  expect(matchesIn('東京都に住む', ['京都'])).toEqual(['京都']);
});
