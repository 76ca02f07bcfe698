import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { errorTable, type ErrorCode, type FieldError, type Problem } from '../../contract/errors.ts';
import { AppError, notFound } from '../app-error.ts';
import { isOfNobody, isOfWhatIsGone } from '../db/errors.ts';

/** The media type of every API failure. */
export const PROBLEM = 'application/problem+json';

/** Turns any thrown error into an RFC 9457 problem document; only our own errors tell the caller more than their kind. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendFailure(error, request, reply, { mediaType: PROBLEM, bodyOf: problemOf });
}

/** The same in another format, for clients of another protocol. */
export function sendFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { mediaType, bodyOf }: { mediaType: string; bodyOf: (error: AppError, requestId: string) => object },
): FastifyReply {
  const known = toAppError(error);
  // Overload responses are only counted: logging each one would cost more than answering it.
  if (known.status >= 500 && known.code !== 'server/busy')
    request.log.error({ err: error }, 'request failed');
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds);
  return reply
    .code(known.status)
    .header('content-type', `${mediaType}; charset=utf-8`)
    .header('cache-control', 'no-store')
    .serializer((value: object) => JSON.stringify(value))
    .send(bodyOf(known, request.id));
}

export function problemOf(error: AppError, requestId: string): Problem {
  return {
    type: `/docs/errors#${error.code}`,
    title: errorTable[error.code][1],
    status: error.status,
    detail: error.message,
    code: error.code,
    ...(error.errors.length > 0 ? { errors: error.errors } : {}),
    requestId,
  };
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) {
    const errors = error.validation.flatMap(fieldErrorsOf);
    return new AppError('request/invalid', 'The request is not valid.', { errors });
  }
  return (
    fromDatabase(error) ?? fromFastify(error) ?? new AppError('server/error', undefined, { cause: error })
  );
}

type Issue = NonNullable<FastifyError['validation']>[number];

/** An unknown field is named by its own path, not by that of its parent object. */
function fieldErrorsOf({ instancePath, message = 'Invalid.', params }: Issue): FieldError[] {
  const path = instancePath.split('/').filter(Boolean);
  const unknown = params['keys'];
  if (!Array.isArray(unknown)) return [{ path: path.join('.'), message }];
  return unknown.map((key) => ({
    path: [...path, String(key)].join('.'),
    message: 'Unknown field.',
  }));
}

/** By SQLSTATE: text the database can't hold is the caller's fault, an unavailable database is nobody's. */
function fromDatabase(error: unknown): AppError | undefined {
  const code = sqlState(error);
  if (code === undefined) return undefined;
  // Their token has not expired yet.
  if (isOfNobody(error)) return new AppError('auth/unauthenticated');
  if (isOfWhatIsGone(error)) return notFound();
  if (['22021', '22P05', '22P02', '22003', '22008', '22023'].includes(code))
    return new AppError('request/invalid');
  if (
    /^(25006|57P0|57014|53|55P03|40001|40P01|58030|08|ECONN|ETIMEDOUT|EPIPE|ENOENT|EHOSTUNREACH|ENETUNREACH)/.test(
      code,
    )
  )
    return new AppError('server/unavailable', undefined, { retryAfterSeconds: 2 });
  return undefined;
}

/** The driver's messages, without a code, for a connection that it lost, could not open in time, or waited for in vain. */
const isLost =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|not queryable|after calling end on the pool/;

function sqlState(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // PostgreSQL ends or refuses a connection with a FATAL error, whatever the reason.
    if ('severity' in cause && cause.severity === 'FATAL') return '08006';
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
    if (isLost.test(cause.message)) return '08006';
  }
  return undefined;
}

function fromFastify(error: unknown): AppError | undefined {
  const status = (error as Partial<FastifyError> | null)?.statusCode;
  if (status === undefined) return undefined;
  const codes: Record<number, ErrorCode> = {
    404: 'resource/not-found',
    413: 'request/too-large',
    415: 'request/unsupported-media-type',
    429: 'request/rate-limited',
  };
  const code = codes[status] ?? (status < 500 ? 'request/invalid' : undefined);
  return code && new AppError(code);
}
