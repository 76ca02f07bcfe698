import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { textOfLine, type Piece } from './pdf-line.ts';
import { readDocument } from './read.ts';

test('Arabic and Hebrew printed by a browser are read as written', async () => {
  const data = await readFile('test/fixtures/right-to-left.pdf');
  const { text } = await readDocument({ kind: 'pdf', data });
  expect(text.split('\n').map((line) => line.trim())).toEqual([
    'سياسة الإرجاع',
    'يمكن إرجاع الحبوب خلال 17 يومًا من الشراء، ويُرد المبلغ (كاملاً) بعد 3 أيام.',
    'السعر ٢٥ دينار',
    'החנות פתוחה משעה 8:30 עד 19:00 (כולל יום ו׳), בטלפון 03-555-1234, חשבון Parley Pro 2 בלבד.',
    'The word for coffee is قهوة عربية in Arabic and קפה in Hebrew, since 1998.',
  ]);
});

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufefc]/;

/** Pieces from left to right, ten points apart, or the other way. */
const lineOf = (pieces: string[], step = 10): Piece[] =>
  pieces.map((str, place) => ({
    str,
    dir: RIGHT_TO_LEFT.test(str) ? 'rtl' : 'ltr',
    transform: [10, 0, 0, 10, 300 + place * step, 0],
    height: 10,
  }));

test.each([
  ['letters from the left', lineOf(['ה', 'פ', 'ק']), 'קפה'],
  ['letters as one reads them', lineOf(['ק', 'פ', 'ה'], -10), 'קפה'],
  ['a line in one piece', lineOf(['קפה שחור']), 'קפה שחור'],
  ['letters that Arabic has joined', lineOf(['ﺔ', 'ﺳ', 'ﺎ', 'ﻴ', 'ﺳ']), 'سياسة'],
  ['two figures side by side', lineOf(['20', ' ', '10', ' ', 'ה', 'פ', 'ק']), 'קפה 10 20'],
  ['a figure digit by digit', lineOf(['1', '2', '.', '5', ' ', 'ה', 'פ', 'ק']), 'קפה 12.5'],
  ['cells of a table', [...lineOf(['ד', 'ח', 'א']), ...lineOf(['ם', 'י']).map(moved)], 'אחד ים'],
  ['no such letters', lineOf(['b', 'a']), 'ba'],
])('%s are put in reading order', (_what, line, text) => {
  expect(textOfLine(line)).toBe(text);
});

function moved(piece: Piece): Piece {
  return { ...piece, transform: piece.transform.with(4, (piece.transform[4] ?? 0) - 200) };
}
