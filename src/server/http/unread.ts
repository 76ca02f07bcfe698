import type { Socket } from 'node:net';
import { errorTable } from '../../contract/errors.ts';
import { AppError } from '../app-error.ts';
import { problemOf, PROBLEM } from './problems.ts';

/**
 * Rejects what never became a request and so reaches no route or hook: a head that is too large, too slow or malformed,
 * or a method that HTTP doesn't have. Uses the format of every other failure and closes the connection, since the start
 * of the next request is unknown.
 */
export function refuseUnread(headers: Record<string, string>, newRequestId: () => string) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code !== 'ECONNRESET' && socket.writable)
      socket.write(answerOf(refusalOf(error), headers, newRequestId()));
    socket.destroy(error);
  };
}

function refusalOf({ code }: NodeJS.ErrnoException): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError('request/head-too-large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new AppError('request/too-slow');
  if (code === 'HPE_INVALID_METHOD') return new AppError('request/invalid', 'This is not an HTTP method.');
  return new AppError('request/invalid', 'This is not a readable HTTP request.');
}

function answerOf(error: AppError, headers: Record<string, string>, requestId: string): string {
  const body = JSON.stringify(problemOf(error, requestId));
  const fields = {
    ...headers,
    'x-request-id': requestId,
    'content-type': `${PROBLEM}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    connection: 'close',
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${error.status} ${errorTable[error.code][1]}`, ...lines, '', body].join('\r\n');
}
