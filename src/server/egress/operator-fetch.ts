import { AppError } from '../app-error.ts';

const TIMEOUT_MS = 10_000;

/** The options our libraries may use; rejecting redirects is up to the library. */
export interface OperatorRequest {
  method?: string;
  headers?: HeadersInit;
  body?: BodyInit | null;
}

/**
 * Requests to an address that the operator configured (an identity provider), never to one that a person chose: those
 * go through `Egress`. Over https, except to this machine. Redirects aren't followed. Errors:
 * `auth/provider-unavailable` if no sensible response comes within 10 s.
 */
export async function operatorFetch(url: string, request: OperatorRequest): Promise<Response> {
  if (!isAllowed(url))
    throw new AppError('auth/provider-unavailable', "The provider's address does not use https.");
  const init: RequestInit = { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) };
  if (request.method !== undefined) init.method = request.method;
  if (request.headers !== undefined) init.headers = request.headers;
  if (request.body !== undefined) init.body = request.body;
  const response = await fetch(url, init).catch((cause: unknown) => {
    throw new AppError('auth/provider-unavailable', 'The provider cannot be reached.', { cause });
  });
  if (response.status >= 500)
    throw new AppError('auth/provider-unavailable', 'The provider is not available.');
  return response;
}

/** Unencrypted connections are made only to this machine's own addresses. */
export function isLoopback(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? '';
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function isAllowed(url: string): boolean {
  return URL.parse(url)?.protocol === 'https:' || isLoopback(url);
}
