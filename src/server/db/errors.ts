import pg from 'pg';

/** True when the database refused a second row with the same value in this unique index. */
export function isUniqueViolation(error: unknown, index: string): boolean {
  return isViolation(error, '23505', (constraint) => constraint === index);
}

/** True when something was to be kept of a person who is not there any more. */
export function isOfNobody(error: unknown): boolean {
  return isViolation(error, '23503', (constraint) => constraint.endsWith('_user_id_user_id_fk'));
}

/** True when something was to be kept with what is not there any more: it was when it was looked at, a moment before. */
export function isOfWhatIsGone(error: unknown): boolean {
  return isViolation(error, '23503', () => true);
}

/** True when the database has not answered in time: what became of the statement is not known, and its connection is of no use. */
export function isUnanswered(error: unknown): boolean {
  return causesOf(error).some(({ message }) => message === 'Query read timeout');
}

/** True when the database takes no writes: it is a replica, or has become one while another took its place. */
export function isReadOnly(error: unknown): boolean {
  return hasState(error, /^25006$/);
}

/** True when a statement was sent, and nothing was heard of it: it may have been done. */
export function isUnheard(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    /^(Query read timeout|Connection terminated unexpectedly)$/.test(error.message) ||
    /^(ECONNRESET|EPIPE|ETIMEDOUT)$/.test(code)
  );
}

/** True when PostgreSQL refused a statement: its transaction is undone, and for certain. */
export function isRefused(error: unknown): boolean {
  return causesOf(error).some((cause) => cause instanceof pg.DatabaseError && cause.severity === 'ERROR');
}

/** True when PostgreSQL has undone a transaction of which it could not do all together with those of others. */
export function isUndoneByOthers(error: unknown): boolean {
  return hasState(error, /^(40P01|40001)$/);
}

/** True when PostgreSQL gave up a statement that waited or took too long, or stood in the way of others: what is undone with it can be left. */
export function isGivenUp(error: unknown): boolean {
  return hasState(error, /^(55P03|57014)$/) || isUndoneByOthers(error);
}

const hasState = (error: unknown, state: RegExp): boolean =>
  causesOf(error).some((cause) => 'code' in cause && state.test(String(cause.code)));

/** The error and what has caused it, one after the other. */
function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) causes.push(cause);
  return causes;
}

function isViolation(error: unknown, state: string, isIt: (constraint: string) => boolean): boolean {
  return causesOf(error).some(
    (cause) =>
      'code' in cause && cause.code === state && 'constraint' in cause && isIt(String(cause.constraint)),
  );
}
