import { isDeepStrictEqual } from 'node:util';
import { errorTable } from '../../contract/errors.ts';
import { AppError } from '../app-error.ts';

type Values<Now> = { [Field in keyof Now]?: Now[Field] | undefined };

/**
 * Requires that nobody else has changed the fields since they were read, except to the values saved here. `now` must be
 * locked. Errors: 409 with the current values.
 */
export function requireSeen<Now extends object>(
  now: Now,
  seen: Values<Now>,
  changes: { [Field in keyof Now]?: unknown },
): void {
  const message = errorTable['resource/conflict'][1];
  const errors = (Object.keys(seen) as (keyof Now & string)[])
    .filter((path) => changes[path] !== undefined)
    .filter((path) => ![seen[path], changes[path]].some((known) => isDeepStrictEqual(known, now[path])))
    .map((path) => ({ path, message, now: now[path] }));
  if (errors.length > 0) throw new AppError('resource/conflict', message, { errors });
}
