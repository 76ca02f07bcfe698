import { ApiError } from '../contract/client.ts';
import { LOG_MAX_BYTES } from '../contract/limits.ts';
import { api } from './api/api.ts';
import { failureMessage, type Failure } from './api/failures.ts';

/** Writes the catalog's message for a failure to the console, with the ID to look up in the server's log. */
export function logFailure(failure: Failure, error: unknown): void {
  const requestId = error instanceof ApiError ? error.requestId : '';
  console.error(failureMessage(failure), requestId && `requestId=${requestId}`, error);
}

/** Sends an unexpected page error to the server's log. Silent if that fails too. */
export function reportError(error: unknown): void {
  if (error instanceof ApiError) return;
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const log = `${location.pathname}\n${detail}`.toWellFormed().replaceAll('\u0000', '');
  void api.log.create({ log: log.slice(0, LOG_MAX_BYTES / 4) }).catch(() => undefined);
}

export function startErrorReports(): void {
  addEventListener('error', (event) => reportError(event.error ?? event.message));
  addEventListener('unhandledrejection', (event) => reportError(event.reason));
}
