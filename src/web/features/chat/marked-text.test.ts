import { expect, test } from 'vitest';
import { markWords } from './marked-text.tsx';

const marked = (text: string, query: string) =>
  markWords(text, query)
    .map(({ text, marked }) => (marked ? `<${text}>` : text))
    .join('');

test('every word of a search is marked wherever it stands, in any case', () => {
  expect(marked('The lake behind the Lake house', 'lake behind')).toBe(
    'The <lake> <behind> the <Lake> house',
  );
});

test('the longer of two words that begin at the same place wins', () => {
  expect(marked('bookshop', 'book bookshop')).toBe('<bookshop>');
});

test('a search is no pattern', () => {
  expect(marked('a.b (c', '. (')).toBe('a<.>b <(>c');
});

test('a text whose places change with its case stays as it is', () => {
  expect(marked('İstanbul', 'stan')).toBe('İstanbul');
});
