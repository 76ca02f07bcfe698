import { parse } from 'csv-parse/sync';

/**
 * What a spreadsheet takes for a formula, also behind blanks and quotes. Full-width forms count: some programs read them
 * like the plain ones.
 */
const beginsLikeFormula = /^[\s"']*[=+\-@＝＋－＠]|^[\t\r]/;

/** Rows as CSV (RFC 4180) that a spreadsheet shows as text, whatever the cells say. */
export function csvOf(rows: string[][]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: string): string {
  const harmless = beginsLikeFormula.test(value) ? `'${value}` : value;
  return `"${harmless.replaceAll('"', '""')}"`;
}

export interface CsvRow {
  /** One-based, in the file. */
  line: number;
  cells: Record<string, string>;
}

export class CsvError extends Error {}

/** Stands in no cell. */
const NO_DELIMITER = '\u001f';

/** What parts the names of the columns parts the rows: programs that part them by something else quote no cell for its commas. */
function delimiterOf(csv: string): string {
  const [head = ''] = csv.trimStart().split(/[\r\n]/, 1);
  return /[,;\t]/.exec(head.replaceAll(/"[^"]*"/g, ''))?.[0] ?? NO_DELIMITER;
}

/**
 * Reads a file whose first row names its columns, by comma, semicolon or tab. What `csvOf` put before a cell to make it
 * harmless is taken away again. Errors: `CsvError`, which says what is wrong in which line.
 */
export function readCsv(csv: string): CsvRow[] {
  try {
    const rows: { info: { lines: number }; record: Record<string, string> }[] = parse(csv, {
      bom: true,
      columns: (names: string[]) => names.map((name) => name.trim().toLowerCase()),
      delimiter: delimiterOf(csv),
      skip_empty_lines: true,
      info: true,
    });
    return rows.map(({ info, record }) => ({
      line: info.lines,
      cells: Object.fromEntries(Object.entries(record).map(([name, value]) => [name, plain(value)])),
    }));
  } catch (error) {
    throw new CsvError(error instanceof Error ? error.message : 'This is not a CSV file.');
  }
}

function plain(value: string): string {
  return value.startsWith("'") && beginsLikeFormula.test(value.slice(1)) ? value.slice(1) : value;
}
