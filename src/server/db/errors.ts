/** True when the database refused a second row with the same value in this unique index. */
export function isUniqueViolation(error: unknown, index: string): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && cause.code === '23505' && 'constraint' in cause && cause.constraint === index)
      return true;
  }
  return false;
}
