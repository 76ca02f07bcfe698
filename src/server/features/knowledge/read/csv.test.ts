import { expect, test } from 'vitest';
import { readCsv } from './csv.ts';

const fleet = (of: string) => readCsv(of).text;

test('commas within numbers and sentences do not split cells when another delimiter does', () => {
  expect(fleet('Name;Price;Seats\nMöwe;1,50;2,0\nStern;2,50;3,0')).toBe(
    '| Name: Möwe | Price: 1,50 | Seats: 2,0 |\n| Name: Stern | Price: 2,50 | Seats: 3,0 |',
  );
  expect(fleet('Möwe;1,50\nStern;2,50\nAal;3,00')).toBe('| Möwe | 1,50 |\n| Stern | 2,50 |\n| Aal | 3,00 |');
});

test('a first line that names the delimiter is respected and not shown', () => {
  expect(fleet('sep=;\r\nName;Town;Seats\r\nMöwe;Oslo, harbour;2')).toBe(
    '| Name: Möwe | Town: Oslo, harbour | Seats: 2 |',
  );
});

test('a quote that is never closed, or closed in the middle of a cell, is literal', () => {
  expect(fleet('Size,Name,Town\n"5 inch,Möwe,Oslo\n6,Stern,"Bergen"')).toBe(
    '| Size: "5 inch | Name: Möwe | Town: Oslo |\n| Size: 6 | Name: Stern | Town: Bergen |',
  );
  expect(fleet('Size,Name,Town\n"5" inch,Möwe,Oslo')).toBe('| Size: "5" inch | Name: Möwe | Town: Oslo |');
});

test('a quoted cell may be surrounded by blanks and contain lines', () => {
  expect(fleet('Name, Town, Note\nMöwe, "Oslo, Norway" ,"one\n\ntwo ""three"""')).toBe(
    '| Name: Möwe | Town: Oslo, Norway | Note: one two "three" |',
  );
});

test('empty lines separate tables, unless they are the spacing of the whole file', () => {
  expect(fleet('Name,Town,Seats\r\r\nMöwe,Oslo,5\r\r\nStern,Bergen,6\r\r\n')).toBe(
    '| Name: Möwe | Town: Oslo | Seats: 5 |\n| Name: Stern | Town: Bergen | Seats: 6 |',
  );
  expect(
    fleet('Name,Town,Seats\nMöwe,Oslo,5\nStern,Bergen,6\n\nPier,Depth,Length\nNorth,3,40\nSouth,4,50'),
  ).toContain('| Pier: North | Depth: 3 | Length: 40 |');
});
