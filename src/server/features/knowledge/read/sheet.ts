import { UnreadableError } from './document.ts';
import { TABLE_CELLS_MAX, TABLE_COLUMNS_MAX } from './limits.ts';
import { addressInFile } from './link-address.ts';
import { relationIdOf } from './office.ts';
import type { FormatNumber } from './sheet-numbers.ts';
import { scanXml } from './xml.ts';

/** What a workbook's sheets share. */
export interface Book {
  strings: string[];
  format: FormatNumber;
  /** For all sheets together. */
  cellsLeft: number;
}

/** Merged cells of a table: each repeats the merged cell's text. Larger areas are layout. */
const MERGED_MAX_CELLS = 1000;

interface Cell {
  column: number;
  type: string;
  style: number;
  pieces: string[];
  formula: string[];
}

/** A link that a formula makes: `HYPERLINK("https://…","Book")`. */
const LINK_FORMULA = /^HYPERLINK\("([^"]+)"/i;

/**
 * A sheet's rows as displayed, in file order; consecutive empty rows are returned as one, the boundary between two
 * tables. Hidden rows and columns are kept: they are folded away for reference. A link's address, from `links` by id,
 * follows its text.
 */
export function readRows(data: Uint8Array, book: Book, links: ReadonlyMap<string, string>): string[][] {
  const rows = new Map<number, string[]>();
  const merged: string[] = [];
  let rowNumber = 0;
  let row: string[] = [];
  let cell: Cell | undefined;
  let part = '';
  scanXml(data, {
    open: (name, attributes) => {
      if (name === 'row') {
        rowNumber = Number(attributes['r']) || rowNumber + 1;
        row = rows.get(rowNumber) ?? [];
        rows.set(rowNumber, row);
      }
      if (name === 'c') cell = cellOf(attributes, row.length);
      if (name === 'mergeCell') merged.push(attributes['ref'] ?? '');
      if (name === 'hyperlink') addLink(rows, attributes, links);
      part = name;
    },
    text: (text) => {
      if (part === 'v' || part === 't') cell?.pieces.push(text);
      if (part === 'f') cell?.formula.push(text);
    },
    close: (name) => {
      part = '';
      if (name !== 'c' || !cell) return;
      put(row, cell, book);
      cell = undefined;
    },
  });
  for (const area of merged) fillMerged(rows, area, book);
  return inOrder(rows);
}

function cellOf(attributes: Record<string, string>, next: number): Cell {
  return {
    column: attributes['r'] ? columnOf(attributes['r']) : next,
    type: attributes['t'] ?? 'n',
    style: Number(attributes['s']) || 0,
    pieces: [],
    formula: [],
  };
}

/** A sheet's links come after its rows. Of several cells with one link, the first has its address. */
function addLink(
  rows: Map<number, string[]>,
  attributes: Record<string, string>,
  links: ReadonlyMap<string, string>,
): void {
  const [place = ''] = attributes['ref']?.split(':') ?? [];
  const row = rows.get(rowOf(place));
  const text = row?.[columnOf(place)];
  if (row && text) row[columnOf(place)] = withAddress(text, links.get(relationIdOf({ attributes })) ?? '');
}

function withAddress(text: string, href: string): string {
  const address = addressInFile(text, href);
  return address === '' ? text : `${text} (${address})`;
}

function put(row: string[], cell: Cell, book: Book): void {
  const said = shown(cell, book);
  if (said === '') return;
  const text = withAddress(said, LINK_FORMULA.exec(cell.formula.join(''))?.[1] ?? '');
  if (cell.column >= TABLE_COLUMNS_MAX)
    throw new UnreadableError('This workbook is damaged and cannot be read.');
  count(book, 1 + Math.max(0, cell.column - row.length));
  while (row.length < cell.column) row.push('');
  row[cell.column] = text;
}

function count(book: Book, cells: number): void {
  book.cellsLeft -= cells;
  if (book.cellsLeft < 0)
    throw new UnreadableError(
      `This workbook has more than ${TABLE_CELLS_MAX.toLocaleString('en')} cells. Split it and add the parts.`,
    );
}

function shown({ type, style, pieces }: Cell, { strings, format }: Book): string {
  const value = pieces.join('');
  switch (type) {
    case 's':
      return asTyped(strings[Number(value)] ?? '');
    case 'b':
      return value === '1' ? 'TRUE' : 'FALSE';
    // An error isn't knowledge.
    case 'e':
      return '';
    case 'n':
      return value === '' ? '' : format(Number(value), style);
    default:
      return asTyped(value);
  }
}

/** Characters XML can't hold, Windows line breaks above all, are written by number: `_x000D_`. */
function asTyped(text: string): string {
  return text.replace(/_x([\da-f]{4})_/gi, (_, number: string) =>
    String.fromCharCode(Number.parseInt(number, 16)),
  );
}

/** `C12` is in column 2. */
function columnOf(reference: string): number {
  const [letters = ''] = /^[A-Z]{1,4}/.exec(reference) ?? [];
  return Array.from(letters).reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function fillMerged(rows: Map<number, string[]>, area: string, book: Book): void {
  const [from = '', to = ''] = area.split(':');
  const [left, right] = [columnOf(from), columnOf(to)];
  const [top, bottom] = [rowOf(from), rowOf(to)];
  const text = rows.get(top)?.[left];
  // Repeating it side by side would add nothing; across rows, it is what a row belongs to.
  if (!text || left < 0 || bottom === top || (bottom - top + 1) * (right - left + 1) > MERGED_MAX_CELLS)
    return;
  for (let number = top + 1; number <= bottom; number += 1) {
    const row = rows.get(number);
    if (!row || row.every((cell) => cell === '')) continue;
    put(row, { column: left, type: 'str', style: 0, pieces: [text], formula: [] }, book);
  }
}

function rowOf(reference: string): number {
  return Number(/(?<!\d)\d+$/.exec(reference)?.[0] ?? 0);
}

function inOrder(rows: Map<number, string[]>): string[][] {
  const all: string[][] = [];
  let last = 0;
  for (const [number, row] of [...rows].toSorted(([one], [other]) => one - other)) {
    if (row.length === 0) continue;
    if (number > last + 1) all.push([]);
    all.push(row);
    last = number;
  }
  return all;
}
