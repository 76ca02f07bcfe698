import { expect, test } from 'vitest';
import { piecesOf } from './text-pieces.ts';

test('a passage is marked at its position, across a page break', () => {
  expect(piecesOf({ start: 0, text: 'one two\fthree four', at: 4, length: 9 })).toEqual([
    { kind: 'text', text: 'one ' },
    { kind: 'mark', text: 'two' },
    { kind: 'page', page: 2 },
    { kind: 'mark', text: 'three' },
    { kind: 'text', text: ' four' },
  ]);
});

test('in a later section positions count from its start, and pages have no number', () => {
  expect(piecesOf({ start: 100, text: 'abc\fdef', at: 98, length: 4 })).toEqual([
    { kind: 'mark', text: 'ab' },
    { kind: 'text', text: 'c' },
    { kind: 'page', page: null },
    { kind: 'text', text: 'def' },
  ]);
});

test('without a passage nothing is marked', () => {
  expect(piecesOf({ start: 0, text: 'abc', at: 0, length: 0 })).toEqual([{ kind: 'text', text: 'abc' }]);
});
