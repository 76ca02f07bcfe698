/** The types of values in a statement. */
export type Value = string | number | boolean | null;

/**
 * A value as a literal in a statement's text, whatever the server's `standard_conforming_strings`. Throws for a text
 * with NUL, which would end the statement there.
 */
export function literal(value: Value): string {
  if (typeof value !== 'string') return String(value);
  if (value.includes('\0')) throw new Error('A value in a statement contains NUL.');
  const quoted = value.replaceAll("'", "''");
  // As PostgreSQL's own library does it; `pg` works character by character, which is slow for a long text.
  return value.includes('\\') ? ` E'${quoted.replaceAll('\\', '\\\\')}'` : `'${quoted}'`;
}
