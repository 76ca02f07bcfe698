import { UnreadableError, type Document } from './document.ts';
import { tableSize, writeTable } from './table.ts';

const delimiters = [',', ';', '\t', '|'];
const SAMPLE_CHARACTERS = 64 * 1024;
const SAMPLE_ROWS = 50;

/**
 * Rows of a CSV under the names of its columns. The delimiter is the one that cuts the first rows into the most equal pieces;
 * text that none of them cuts is text.
 */
export function readCsv(text: string): Document {
  const table = writeTable([...rowsOf(text, delimiterOf(text))]);
  if (table === '') throw new UnreadableError('This table holds no text.');
  return { title: null, text: table };
}

function delimiterOf(text: string): string {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const rated = delimiters.map((delimiter) => ({ delimiter, columns: columnsOf(sample, delimiter) }));
  return rated.reduce((best, other) => (other.columns > best.columns ? other : best)).delimiter;
}

/** How many columns most of the first rows have; 1 when they do not agree. */
function columnsOf(sample: string, delimiter: string): number {
  const counts = new Map<number, number>();
  let rows = 0;
  for (const { length } of rowsOf(sample, delimiter)) {
    counts.set(length, (counts.get(length) ?? 0) + 1);
    rows += 1;
    if (rows === SAMPLE_ROWS) break;
  }
  const [columns, agreeing] = [...counts].toSorted(([, one], [, other]) => other - one)[0] ?? [1, 0];
  return agreeing * 2 > rows ? columns : 1;
}

/** As RFC 4180 has it, and lenient: a quote within a cell is a quote, and one that nobody closes ends with the text. */
function* rowsOf(text: string, delimiter: string): Generator<string[]> {
  const count = tableSize();
  const border = new RegExp(`[\\r\\n${delimiter === '|' ? '\\|' : delimiter}]`, 'g');
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const cell = text[at] === '"' ? quoted(text, at) : undefined;
    border.lastIndex = cell?.end ?? at;
    const end = border.exec(text)?.index ?? text.length;
    row.push(cell ? cell.text + text.slice(cell.end, end) : text.slice(at, end));
    at = end + 1;
    if (text[end] === delimiter && at < text.length) {
      if (row.length % COUNTED_CELLS === 0) count(row);
      continue;
    }
    if (text[end] === '\r' && text[at] === '\n') at += 1;
    count(row);
    yield row;
    row = [];
  }
}

/** Often enough that a row without end is noticed before it is held. */
const COUNTED_CELLS = 100_000;

function quoted(text: string, start: number): { text: string; end: number } {
  const pieces: string[] = [];
  let from = start + 1;
  for (;;) {
    const end = text.indexOf('"', from);
    if (end === -1) return { text: [...pieces, text.slice(from)].join('"'), end: text.length };
    pieces.push(text.slice(from, end));
    if (text[end + 1] !== '"') return { text: pieces.join('"'), end: end + 1 };
    from = end + 2;
  }
}
