import { notFound } from '../app-error.ts';

/**
 * The row that a change gave back. Somebody else can have removed it since it was read, when it was read without a lock; then it is
 * to the caller as if it had never been. Errors: 404.
 */
export function theOne<Row>([row]: Row[]): Row {
  if (row === undefined) throw notFound();
  return row;
}

/** A statement has at most 65,535 values; rows have far less than 65 each. */
const ROWS_A_STATEMENT = 1000;

/** Inserts however many rows, by as many statements as that takes. Answers what they gave back. */
export async function insertAll<Row, Made>(
  rows: readonly Row[],
  insert: (portion: Row[]) => PromiseLike<Made[]>,
): Promise<Made[]> {
  const made: Made[] = [];
  for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT)
    made.push(...(await insert(rows.slice(start, start + ROWS_A_STATEMENT))));
  return made;
}
