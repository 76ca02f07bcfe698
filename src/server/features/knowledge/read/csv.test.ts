import { expect, test } from 'vitest';
import { readCsv } from './csv.ts';

const fleet = (of: string) => readCsv(of).text;

test('commas within figures and sentences cut nothing where something else does', () => {
  expect(fleet('Name;Price;Seats\nMöwe;1,50;2,0\nStern;2,50;3,0')).toBe(
    '| Name: Möwe | Price: 1,50 | Seats: 2,0 |\n| Name: Stern | Price: 2,50 | Seats: 3,0 |',
  );
  expect(fleet('Möwe;1,50\nStern;2,50\nAal;3,00')).toBe('| Möwe | 1,50 |\n| Stern | 2,50 |\n| Aal | 3,00 |');
});

test('a first line that names the delimiter is believed, and is not told', () => {
  expect(fleet('sep=;\r\nName;Town;Seats\r\nMöwe;Oslo, harbour;2')).toBe(
    '| Name: Möwe | Town: Oslo, harbour | Seats: 2 |',
  );
});

test('a quote that is closed nowhere, or in the middle of a cell, is a quote', () => {
  expect(fleet('Size,Name,Town\n"5 inch,Möwe,Oslo\n6,Stern,"Bergen"')).toBe(
    '| Size: "5 inch | Name: Möwe | Town: Oslo |\n| Size: 6 | Name: Stern | Town: Bergen |',
  );
  expect(fleet('Size,Name,Town\n"5" inch,Möwe,Oslo')).toBe('| Size: "5" inch | Name: Möwe | Town: Oslo |');
});

test('a quoted cell may have blanks around it and lines in it', () => {
  expect(fleet('Name, Town, Note\nMöwe, "Oslo, Norway" ,"one\n\ntwo ""three"""')).toBe(
    '| Name: Möwe | Town: Oslo, Norway | Note: one two "three" |',
  );
});

test('empty lines part tables, unless the whole file is spaced by them', () => {
  expect(fleet('Name,Town,Seats\r\r\nMöwe,Oslo,5\r\r\nStern,Bergen,6\r\r\n')).toBe(
    '| Name: Möwe | Town: Oslo | Seats: 5 |\n| Name: Stern | Town: Bergen | Seats: 6 |',
  );
  expect(
    fleet('Name,Town,Seats\nMöwe,Oslo,5\nStern,Bergen,6\n\nPier,Depth,Length\nNorth,3,40\nSouth,4,50'),
  ).toContain('| Pier: North | Depth: 3 | Length: 40 |');
});
