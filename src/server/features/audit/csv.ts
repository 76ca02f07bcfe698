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
