/** True when the database refused a second row with the same value in this unique index. */
export function isUniqueViolation(error: unknown, index: string): boolean {
  return isViolation(error, '23505', (constraint) => constraint === index);
}

/** True when something was to be kept of a person who is not there any more. */
export function isOfNobody(error: unknown): boolean {
  return isViolation(error, '23503', (constraint) => constraint.endsWith('_user_id_user_id_fk'));
}

function isViolation(error: unknown, state: string, isIt: (constraint: string) => boolean): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && cause.code === state && 'constraint' in cause && isIt(String(cause.constraint)))
      return true;
  }
  return false;
}
