import { parse } from 'csv-parse/sync';

/**
 * What a spreadsheet interprets as a formula, even after whitespace and quotes. Full-width forms count: some programs
 * treat them like the plain ones.
 */
const beginsLikeFormula = /^[\s"']*[=+\-@＝＋－＠]|^[\t\r]/;

/** Rows as CSV (RFC 4180) that a spreadsheet shows as text, whatever the cells contain. */
export function csvOf(rows: string[][]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: string): string {
  const harmless = beginsLikeFormula.test(value) ? `'${value}` : value;
  return `"${harmless.replaceAll('"', '""')}"`;
}

export interface CsvRow {
  /** One-based line in the file. */
  line: number;
  cells: Record<string, string>;
}

export class CsvError extends Error {}

/** Occurs in no cell. */
const NO_DELIMITER = '\u001f';

/**
 * The delimiter in the header row also separates the cells: programs that use another delimiter don't quote cells that
 * contain commas.
 */
function delimiterOf(csv: string): string {
  const [head = ''] = csv.trimStart().split(/[\r\n]/, 1);
  return /[,;\t]/.exec(head.replaceAll(/"[^"]*"/g, ''))?.[0] ?? NO_DELIMITER;
}

/**
 * Parses a file whose first row names its columns, separated by comma, semicolon or tab. Prefixes that `csvOf` added to
 * make cells harmless are removed again. Errors: `CsvError`, which says what is wrong in which line.
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
