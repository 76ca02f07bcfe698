import { isTag, type Element } from 'domhandler';
import { UnreadableError } from './document.ts';
import { TABLE_CELLS_MAX } from './limits.ts';

/** The browsers' limit. */
const COLSPAN_MAX = 1000;
const parts = new Set(['thead', 'tbody', 'tfoot']);
const structure = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'pre']);

/** Whether it contains something that doesn't belong in a cell: tables, headings, code. */
export function isLayout(table: Element): boolean {
  return table.children.some((child) => isTag(child) && (structure.has(child.name) || isLayout(child)));
}

/** Whether its first row names the columns: by its tags, or by being bold throughout, as in Word. */
export function hasHeader(table: Element): boolean {
  const [row] = rowsOf(table);
  const cells = row ? cellsOf(row) : [];
  return cells.length > 1 && cells.every((cell) => cell.name === 'th' || isBold(cell));
}

function isBold(element: Element): boolean {
  const [only, ...more] = element.children.filter((child) => isTag(child) || textIn(child) !== '');
  if (!only || more.length > 0 || !isTag(only)) return false;
  return only.name === 'strong' || only.name === 'b' || isBold(only);
}

function textIn(node: Element['children'][number]): string {
  return 'data' in node ? node.data.trim() : '';
}

/**
 * The text for every position in a table. A cell spanning several rows is repeated in each; one spanning several
 * columns is in the first.
 */
export function gridOf(table: Element, textOf: (cell: Element) => string): string[][] {
  const grid: string[][] = [];
  let cells = 0;
  let over: Spanning[] = [];
  for (const row of rowsOf(table)) {
    const line: string[] = [];
    const next: Spanning[] = over.flatMap(({ column, text, rows }) => {
      line[column] = text;
      return rows > 1 ? [{ column, text, rows: rows - 1 }] : [];
    });
    let column = 0;
    for (const cell of cellsOf(row)) {
      while (line[column] !== undefined) column += 1;
      const width = spanOf(cell, 'colspan');
      const rows = spanOf(cell, 'rowspan') - 1;
      const text = textOf(cell);
      for (let at = 0; at < width; at += 1, column += 1) {
        line[column] = at === 0 ? text : '';
        if (rows > 0) next.push({ column, text: line[column] ?? '', rows });
      }
      cells += width;
    }
    over = next;
    cells += over.length;
    if (cells > TABLE_CELLS_MAX) throw new UnreadableError('A table of this page is too large to be read.');
    grid.push(Array.from(line, (text) => text ?? ''));
  }
  return grid;
}

interface Spanning {
  column: number;
  text: string;
  /** Remaining. */
  rows: number;
}

function spanOf(cell: Element, name: string): number {
  return Math.min(COLSPAN_MAX, Math.max(1, Number.parseInt(cell.attribs[name] ?? '1', 10) || 1));
}

function rowsOf(table: Element): Element[] {
  return table.children.flatMap((child) => {
    if (!isTag(child)) return [];
    return parts.has(child.name) ? childrenNamed(child, 'tr') : child.name === 'tr' ? [child] : [];
  });
}

function cellsOf(row: Element): Element[] {
  return row.children.filter((child) => isTag(child)).filter(({ name }) => name === 'td' || name === 'th');
}

export function childrenNamed(element: Element, name: string): Element[] {
  return element.children.filter((child) => isTag(child)).filter((child) => child.name === name);
}
