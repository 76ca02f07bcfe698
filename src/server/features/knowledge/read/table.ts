import { UnreadableError } from './document.ts';
import { TABLE_CELLS_MAX, TABLE_COLUMNS_MAX } from './limits.ts';

/** Longer cells are sentences, and their row isn't a header. */
const HEADER_MAX_CHARACTERS = 80;
/** Together with the rows overlapping from the previous passage, a block of this size and its header fit into one passage. */
const BLOCK_CHARACTERS = 1100;
/** From here on every cell names its column. With two columns, the first one names the second. */
const NAMED_FROM_COLUMNS = 3;
const HEADER_SEARCH_ROWS = 10;

/**
 * Rows as Markdown in which every passage tells what its numbers mean, wherever the text is split. From three columns
 * on each cell carries its column's name: a row is then an answer by itself, for both search and readers. A narrow
 * table is written in blocks that each start with the header. Single-cell rows above or in between are text.
 */
export function writeTable(rows: readonly string[][]): string {
  const count = tableSize();
  for (const row of rows) count(row);
  return blocksOf(rows.map(cleanRow)).map(writeBlock).join('\n\n');
}

/** Counts a table's rows while it is being read, and throws at the first one beyond any real table's size. */
export function tableSize(): (row: readonly string[]) => void {
  let cells = 0;
  return (row) => {
    cells += row.length;
    if (row.length > TABLE_COLUMNS_MAX)
      throw new UnreadableError(
        `This table has more than ${TABLE_COLUMNS_MAX.toLocaleString('en')} columns.`,
      );
    if (cells > TABLE_CELLS_MAX)
      throw new UnreadableError(
        `This table has more than ${TABLE_CELLS_MAX.toLocaleString('en')} cells. Split it and add the parts.`,
      );
  };
}

function cleanRow(row: string[]): string[] {
  return row.map((cell) => cell.replace(/\s+/g, ' ').trim());
}

/** Tables are separated by empty rows. */
function blocksOf(rows: string[][]): string[][][] {
  const blocks: string[][][] = [[]];
  for (const row of rows) {
    if (row.some((cell) => cell !== '')) blocks.at(-1)?.push(row);
    else if (blocks.at(-1)?.length !== 0) blocks.push([]);
  }
  return blocks.filter((block) => block.length > 0);
}

function writeBlock(block: string[][]): string {
  const start = block.findIndex((row) => filled(row).length > 1);
  if (start === -1) return block.map((row) => filled(row).join('')).join('\n');
  const above = block.slice(0, start).map((row) => filled(row).join(''));
  return [...above, writeRows(withoutEmptyColumns(block.slice(start)))].join('\n\n');
}

function withoutEmptyColumns(rows: string[][]): string[][] {
  const used = new Set(rows.flatMap((row) => row.flatMap((cell, column) => (cell === '' ? [] : [column]))));
  const columns = [...used].toSorted((one, other) => one - other);
  return rows.map((row) => columns.map((column) => row[column] ?? ''));
}

function writeRows(rows: string[][]): string {
  const at = headerOf(rows);
  const [header = [], ...rest] = rows.slice(at);
  if (at === -1 || rest.length === 0) return rows.map((row) => rowOf(filled(row))).join('\n');
  const above = rows.slice(0, at).map((row) => rowOf(filled(row)));
  const table =
    header.length < NAMED_FROM_COLUMNS
      ? inBlocks(header, rest)
      : rest.map((row) => namedRow(header, row)).join('\n');
  return [...above, table].join('\n');
}

/**
 * The first row that names every column, since notes may precede it; or else the first row, if it names most of them;
 * or else -1.
 */
function headerOf(rows: string[][]): number {
  const complete = rows.slice(0, HEADER_SEARCH_ROWS).findIndex((row) => !row.includes('') && isHeader(row));
  if (complete >= 0) return complete;
  return rows[0] && isHeader(rows[0]) ? 0 : -1;
}

/** Whether the first row names columns, at least one of which contains numbers. */
export function looksNamed(rows: readonly string[][]): boolean {
  const [header = [], ...rest] = rows;
  if (header.length < 2 || header.includes('') || !isHeader(header)) return false;
  return header.some((_name, column) => {
    const cells = rest.map((row) => row[column] ?? '').filter(Boolean);
    return cells.length > 1 && cells.filter(isFigure).length * 2 > cells.length;
  });
}

/** Names: words for most columns, without duplicates. */
function isHeader(row: string[]): boolean {
  const names = filled(row);
  return (
    names.length > row.length / 2 &&
    new Set(names).size === names.length &&
    names.every((name) => name.length <= HEADER_MAX_CHARACTERS && !isFigure(name))
  );
}

/** Years can name columns; other numbers, dates and sums can't. */
function isFigure(text: string): boolean {
  return !/\p{L}/u.test(text) && !/^(?:19|20)\d\d$/.test(text);
}

function inBlocks(header: string[], rows: string[][]): string {
  const head = `${rowOf(header)}\n|${' --- |'.repeat(header.length)}`;
  const blocks: string[] = [];
  let block = head;
  for (const row of rows.map(rowOf)) {
    if (block.length > head.length && block.length + row.length > BLOCK_CHARACTERS) {
      blocks.push(block);
      block = head;
    }
    block += `\n${row}`;
  }
  return [...blocks, block].join('\n\n');
}

/** A row as `| Name: Anna | City: Oslo |`; empty cells are left out, and a single cell is a remark. */
function namedRow(header: string[], row: string[]): string {
  const isRemark = filled(row).length === 1 && header.length >= NAMED_FROM_COLUMNS;
  const cells = row.flatMap((cell, column) => {
    const name = isRemark ? '' : header[column];
    if (cell === '') return [];
    return [name ? `${name}: ${cell}` : cell];
  });
  return rowOf(cells);
}

/** One row of a Markdown table. */
export function rowOf(cells: string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function filled(row: string[]): string[] {
  return row.filter((cell) => cell !== '');
}
