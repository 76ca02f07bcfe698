import { notFound } from '../app-error.ts';

/**
 * The row that a change returned. If it was read without a lock, it may have been deleted since; to the caller it is
 * then as if it had never existed. Errors: 404.
 */
export function theOne<Row>([row]: Row[]): Row {
  if (row === undefined) throw notFound();
  return row;
}

/** A statement can have at most 65,535 values; rows have far fewer than 65 each. */
const ROWS_A_STATEMENT = 1000;

/** Inserts any number of rows, in as many statements as needed. Returns what they returned. */
export async function insertAll<Row, Made>(
  rows: readonly Row[],
  insert: (portion: Row[]) => PromiseLike<Made[]>,
): Promise<Made[]> {
  const made: Made[] = [];
  for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT)
    made.push(...(await insert(rows.slice(start, start + ROWS_A_STATEMENT))));
  return made;
}
