import { expect, test } from 'vitest';
import { estimateTokens, fillContext } from './context.ts';
import type { Passage } from '../search.ts';

const whole = 'abcdefghij'.repeat(100);

function passage(sourceId: string, start: number, end: number, score: number): Passage {
  const place = { knowledgeId: 'knw', fileId: null, title: 'T', url: null, headingPath: [], page: null };
  const kind = { kind: 'text' as const, card: null, language: 'en', isAnswerOfPair: false };
  return {
    ...place,
    ...kind,
    chunkId: `${sourceId}-${start}`,
    sourceId,
    offset: start,
    text: whole.slice(start, end),
    score,
  };
}

test('passages are taken best first, as many as fit', () => {
  const filled = fillContext(
    [passage('a', 0, 400, 3), passage('b', 0, 400, 2), passage('c', 0, 400, 1)],
    200,
  );
  expect(filled.map(({ sourceId }) => sourceId)).toEqual(['a', 'b']);
});

test('the best passage is included even when it is too long', () => {
  expect(fillContext([passage('a', 0, 1000, 1)], 10)).toHaveLength(1);
});

test('overlapping passages of a source become one text, even across a gap filled later', () => {
  const filled = fillContext(
    [
      passage('a', 0, 300, 3),
      passage('a', 500, 900, 2),
      passage('b', 250, 550, 1.5),
      passage('a', 250, 550, 1),
    ],
    1000,
  );
  expect(filled).toEqual([{ ...passage('a', 0, 900, 3) }, passage('b', 250, 550, 1.5)]);
});

test('a Chinese character counts as more than a letter', () => {
  expect(estimateTokens('a'.repeat(120))).toBe(30);
  expect(estimateTokens('联'.repeat(120))).toBe(80);
});
