import { expect, test } from 'vitest';
import { wordsAsked } from './words-asked.ts';

test('a word of the question appears once, however many languages have a form of it', () => {
  const terms = [
    { term: 'much', weight: 5.6, passages: 0 },
    { term: 'moose', weight: 5.6, passages: 0 },
    { term: 'antler', weight: 4.5, passages: 1 },
    { term: 'moos', weight: 3.6, passages: 3 },
  ];
  expect([...wordsAsked(terms, 'How much is a Moose antler?')]).toEqual([
    ['much', 0],
    ['Moose', 3],
    ['antler', 1],
  ]);
});
