/** What a statement can be given. */
export type Value = string | number | boolean | null;

/**
 * A value as it stands in the text of a statement, whatever the server's `standard_conforming_strings`. Throws for a text with NUL,
 * which would end the statement there.
 */
export function literal(value: Value): string {
  if (typeof value !== 'string') return String(value);
  if (value.includes('\0')) throw new Error('A value of a statement has a NUL.');
  const quoted = value.replaceAll("'", "''");
  // Written as PostgreSQL's own library does it; `pg` does it letter by letter, which takes long for a long text.
  return value.includes('\\') ? ` E'${quoted.replaceAll('\\', '\\\\')}'` : `'${quoted}'`;
}
