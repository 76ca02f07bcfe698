import pg from 'pg';

/** True if the database rejected a second row with the same value in this unique index. */
export function isUniqueViolation(error: unknown, index: string): boolean {
  return isViolation(error, '23505', (constraint) => constraint === index);
}

/** True if data was to be stored for a person who no longer exists. */
export function isOfNobody(error: unknown): boolean {
  return isViolation(error, '23503', (constraint) => constraint.endsWith('_user_id_user_id_fk'));
}

/** True if data was to be stored for something that no longer exists, although it did a moment before. */
export function isOfWhatIsGone(error: unknown): boolean {
  return isViolation(error, '23503', () => true);
}

/** True if the database didn't respond in time: the statement's outcome is unknown, and its connection is unusable. */
export function isUnanswered(error: unknown): boolean {
  return causesOf(error).some(({ message }) => message === 'Query read timeout');
}

/** True if the database accepts no writes: it is a replica, or has become one after another took its place. */
export function isReadOnly(error: unknown): boolean {
  return hasState(error, /^25006$/);
}

/** True if a statement was sent and no response came: it may have been executed. */
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

/** True if PostgreSQL rolled back a transaction because of a deadlock or serialization conflict with others. */
export function isUndoneByOthers(error: unknown): boolean {
  return hasState(error, /^(40P01|40001)$/);
}

/**
 * True if PostgreSQL canceled a statement because it waited or ran too long, or conflicted with others: the rolled-back
 * work can be dropped.
 */
export function isGivenUp(error: unknown): boolean {
  return hasState(error, /^(55P03|57014)$/) || isUndoneByOthers(error);
}

const hasState = (error: unknown, state: RegExp): boolean =>
  causesOf(error).some((cause) => 'code' in cause && state.test(String(cause.code)));

/** The error followed by its chain of causes. */
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
