import { expect, test } from 'vitest';
import { markWords } from './marked-text.tsx';

const marked = (text: string, query: string) =>
  markWords(text, query)
    .map(({ text, marked }) => (marked ? `<${text}>` : text))
    .join('');

test('every search word is marked wherever it occurs, in any case', () => {
  expect(marked('The lake behind the Lake house', 'lake behind')).toBe(
    'The <lake> <behind> the <Lake> house',
  );
});

test('the longer of two words that start at the same place wins', () => {
  expect(marked('bookshop', 'book bookshop')).toBe('<bookshop>');
});

test('a search is not a pattern', () => {
  expect(marked('a.b (c', '. (')).toBe('a<.>b <(>c');
});

test('a text whose length changes with its case is left unmarked', () => {
  expect(marked('İstanbul', 'stan')).toBe('İstanbul');
});
