import { notFound } from '../app-error.ts';

/**
 * The row that a change gave back. Somebody else can have removed it since it was read, when it was read without a lock; then it is
 * to the caller as if it had never been. Errors: 404.
 */
export function theOne<Row>([row]: Row[]): Row {
  if (row === undefined) throw notFound();
  return row;
}
