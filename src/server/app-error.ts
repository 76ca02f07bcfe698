import { errorTable, type ErrorCode, type FieldError } from '../contract/errors.ts';

/** A failure reported to the caller. Its status and title are in the contract's table. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly errors: FieldError[];
  /** For `request/rate-limited` and `server/unavailable`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    detail: string = errorTable[code][1],
    extra: { errors?: FieldError[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(detail, { cause: extra.cause });
    this.code = code;
    this.errors = extra.errors ?? [];
    this.retryAfterSeconds = extra.retryAfterSeconds;
  }

  get status(): number {
    return errorTable[this.code][0];
  }
}

/** The response for something that doesn't exist and, in the same words, for something that belongs to someone else. */
export function notFound(): AppError {
  return new AppError('resource/not-found');
}

/** The same for an agent, saying what may have happened to it, whether or not it ever existed. */
export function noAgent(): AppError {
  return new AppError(
    'resource/not-found',
    'This agent could not be found: it was deleted or moved, or you do not have access.',
  );
}

/** The same for a conversation, which is deleted with its agent. */
export function noConversation(): AppError {
  return new AppError(
    'resource/not-found',
    'This conversation could not be found: it or its agent was deleted or moved, or you do not have access.',
  );
}

/**
 * The same for something named by a field of the request, which the error points to: the request's own address may well
 * exist.
 */
export function notFoundAt(path: string): AppError {
  const message = errorTable['resource/not-found'][1];
  return new AppError('resource/not-found', message, { errors: [{ path, message }] });
}

/** A request with one invalid field, in a way that only the data can reveal. */
export function invalidField(path: string, message: string): AppError {
  return new AppError('request/invalid', message, { errors: [{ path, message }] });
}
