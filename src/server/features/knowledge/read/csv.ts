import { UnreadableError, type Document } from './document.ts';
import { tableSize, writeTable } from './table.ts';

/** The likeliest last: of several that split equally well, commas also occur in numbers and sentences, the others rarely do. */
const delimiters = [',', '|', ';', '\t'];
const SAMPLE_CHARACTERS = 64 * 1024;
const SAMPLE_ROWS = 50;
/** With more empty lines than this, they are the file's line spacing and don't separate tables. */
const SPACING_SHARE = 0.3;

/**
 * A CSV's rows under the names of its columns. The delimiter is the one named in a first line (`sep=;`), or else the
 * one that most reliably splits the first rows into equal numbers of cells; text that none of them splits is plain
 * text.
 */
export function readCsv(text: string): Document {
  const [line = '', named] = /^sep=([,;\t|])\s*(?:\r\n?|\n|$)/i.exec(text) ?? [];
  const content = text.slice(line.length);
  const rows = [...rowsOf(content, named ?? delimiterOf(content))];
  const table = writeTable(withoutSpacing(rows));
  if (table === '') throw new UnreadableError('This table has no text.');
  return { title: null, text: table };
}

function withoutSpacing(rows: string[][]): string[][] {
  const said = rows.filter(({ length, 0: first }) => length > 1 || first?.trim() !== '');
  return rows.length - said.length > rows.length * SPACING_SHARE ? said : rows;
}

function delimiterOf(text: string): string {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const rated = delimiters.map((delimiter) => ({ delimiter, share: shareCut(sample, delimiter) }));
  return rated.reduce((best, other) => (other.share >= best.share && other.share > 0 ? other : best))
    .delimiter;
}

/** The share of the first rows with the most common number of columns; 0 if they disagree, or aren't split at all. */
function shareCut(sample: string, delimiter: string): number {
  const counts = new Map<number, number>();
  let rows = 0;
  for (const row of rowsOf(sample, delimiter)) {
    if (row.every((cell) => cell.trim() === '')) continue;
    counts.set(row.length, (counts.get(row.length) ?? 0) + 1);
    rows += 1;
    if (rows === SAMPLE_ROWS) break;
  }
  const [columns, agreeing] = [...counts].toSorted(([, one], [, other]) => other - one)[0] ?? [1, 0];
  return columns > 1 && agreeing * 2 > rows ? agreeing / rows : 0;
}

/** According to RFC 4180, but lenient: a quote inside a cell is literal, and so is one that isn't closed at a cell's end. */
function* rowsOf(text: string, delimiter: string): Generator<string[]> {
  const count = tableSize();
  const border = new RegExp(`[\\r\\n${delimiter === '|' ? '\\|' : delimiter}]`, 'g');
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const cell = quoted(text, at, delimiter);
    border.lastIndex = cell?.end ?? at;
    const end = border.exec(text)?.index ?? text.length;
    row.push(cell ? cell.text : text.slice(at, end));
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

/** Frequent enough to notice an endless row before it fills memory. */
const COUNTED_CELLS = 100_000;

/** Undefined for a cell that isn't quoted. */
function quoted(text: string, at: number, delimiter: string): { text: string; end: number } | undefined {
  const start = withoutBlanks(text, at);
  if (text[start] !== '"') return undefined;
  const pieces: string[] = [];
  let from = start + 1;
  for (;;) {
    const end = text.indexOf('"', from);
    if (end === -1) return undefined;
    pieces.push(text.slice(from, end));
    if (text[end + 1] !== '"') {
      const next = text[withoutBlanks(text, end + 1)] ?? '\n';
      return [delimiter, '\r', '\n'].includes(next) ? { text: pieces.join('"'), end: end + 1 } : undefined;
    }
    from = end + 2;
  }
}

function withoutBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ') at += 1;
  return at;
}
