import { APICallError } from '@ai-sdk/provider';
import { PROVIDER_PATIENCE_MAX_MS } from '../../contract/limits.ts';
import { AppError } from '../app-error.ts';

/** The pause before retrying a provider that names no delay. */
const PAUSE_MS = 250;
/** Statuses that reject the request, not the caller: they say nothing about the provider's health. */
const refusals = new Set([400, 404, 405, 406, 409, 410, 411, 413, 414, 415, 422]);

/**
 * Why a model did not answer, in words for the agent's operator. Contains nothing that was sent or received, because
 * both end up in logs: requests hold people's messages, and some providers echo the key.
 */
export class ModelFailure extends Error {
  /** Milliseconds after which the same model can be retried; undefined if that wouldn't help. */
  readonly retryAfterMs: number | undefined;
  /** It was about the request; the provider itself is healthy. */
  readonly isRefusal: boolean;

  constructor(message: string, options: { retryAfterMs?: number | undefined; isRefusal?: boolean } = {}) {
    super(message);
    this.name = 'ModelFailure';
    this.retryAfterMs = options.retryAfterMs;
    this.isRefusal = options.isRefusal ?? false;
  }
}

export function failureOf(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const status = APICallError.isInstance(error) ? error.statusCode : undefined;
  if (status !== undefined && status >= 300) return ofStatus(status, error as APICallError);
  const known = appErrorIn(error);
  if (known?.code === 'egress/url-not-allowed') return new ModelFailure(known.message);
  if (known) return new ModelFailure(`${known.message}${codeOf(known.cause)}`, { retryAfterMs: PAUSE_MS });
  if (status !== undefined) return notUnderstood();
  // The library itself rejected its input, such as a file type it can't express for this provider.
  return new ModelFailure('The model cannot take this request.', { isRefusal: true });
}

/** The response could not be read, or was an error instead of an answer. */
function notUnderstood(): ModelFailure {
  return new ModelFailure('The provider’s response could not be read.');
}

/** An error in the middle of an answer: from the connection, or sent instead of the next chunk. */
export function brokenBy(error: unknown): ModelFailure {
  return appErrorIn(error) ? failureOf(error) : notUnderstood();
}

function ofStatus(status: number, error: APICallError): ModelFailure {
  if (status === 401 || status === 403) return new ModelFailure(`The provider refused the key (${status}).`);
  if (refusals.has(status))
    return new ModelFailure(`The provider refused the request (${status}).`, { isRefusal: true });
  if (status === 408 || status === 429 || status >= 500) {
    const patience = patienceOf(error.responseHeaders?.['retry-after']);
    const retryAfterMs = patience <= PROVIDER_PATIENCE_MAX_MS ? patience : undefined;
    return new ModelFailure(`The provider answered ${status}.`, { retryAfterMs });
  }
  return new ModelFailure(`The provider answered ${status}.`);
}

/** Seconds or a date, as in HTTP. */
function patienceOf(header: string | undefined): number {
  if (!header) return PAUSE_MS;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, wait) : PAUSE_MS;
}

/** The AI SDK wraps what its `fetch` throws. */
function appErrorIn(error: unknown): AppError | undefined {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if (current instanceof AppError) return current;
    current = current.cause;
  }
  return undefined;
}

/** ` (ECONNREFUSED)`: what an operator needs to know, without addresses. */
function codeOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /^\w{3,50}$/.test(code) ? ` (${code})` : '';
}
