/** The value below which the share `p` (0 to 1) of the values lies; NaN if there are none. */
export function percentile(values: number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? Number.NaN;
}

/** Prints rows as a table, with numbers to three significant digits. */
export function printTable(rows: Record<string, string | number>[]): void {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => columns.map((column) => format(row[column])));
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...cells.map((row) => row[index]?.length ?? 0)),
  );
  const line = (row: string[]): string =>
    row.map((cell, index) => cell.padStart(widths[index] ?? 0)).join('  ');
  console.log([line(columns), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)].join('\n'));
}

function format(value: string | number | undefined): string {
  if (typeof value !== 'number') return value ?? '';
  if (Number.isNaN(value)) return '';
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(3)));
}
