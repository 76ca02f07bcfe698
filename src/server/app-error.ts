import { errorTable, type ErrorCode, type FieldError } from '../contract/errors.ts';

/** A failure that the caller is told about. Its status and title stand in the contract's table. */
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

/** The answer for what does not exist and, in the same words, for what belongs to somebody else. */
export function notFound(): AppError {
  return new AppError('resource/not-found');
}

/** The same of an agent, with what may have happened to it, whether there ever was one or not. */
export function noAgent(): AppError {
  return new AppError(
    'resource/not-found',
    'This agent could not be found: it was deleted or moved, or you do not have access.',
  );
}

/** The same of a conversation, which goes with its agent. */
export function noConversation(): AppError {
  return new AppError(
    'resource/not-found',
    'This conversation could not be found: it or its agent was deleted or moved, or you do not have access.',
  );
}

/** The same for what a field of the request names, which is said: its address may well be there. */
export function notFoundAt(path: string): AppError {
  const message = errorTable['resource/not-found'][1];
  return new AppError('resource/not-found', message, { errors: [{ path, message }] });
}

/** A request whose one field is wrong in a way that only a look at the data can tell. */
export function invalidField(path: string, message: string): AppError {
  return new AppError('request/invalid', message, { errors: [{ path, message }] });
}
