import type * as z from 'zod';
import { AppError } from '../app-error.ts';
import { operatorFetch, type OperatorRequest } from '../egress/operator-fetch.ts';

/**
 * Calls a channel's service at the address the operator configured. `body` is undefined if the response isn't JSON.
 * Errors: `channel/unavailable`, also if the service asks to be called later, with the seconds until then if given.
 */
export async function askService(
  service: string,
  url: string,
  request: OperatorRequest,
): Promise<{ status: number; body: unknown; headers: Headers }> {
  const response = await operatorFetch(url, request).catch((cause: unknown) => {
    throw new AppError('channel/unavailable', `${service} cannot be reached.`, { cause });
  });
  const { status, headers } = response;
  if (status === 429) {
    const retryAfterSeconds = secondsUntilNext(headers);
    const extra = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
    throw new AppError('channel/unavailable', `${service} wants to be asked later.`, extra);
  }
  return { status, headers, body: await response.json().catch(() => undefined) };
}

/** `Retry-After` in seconds, or the moment (Unix time) when X's rate limit resets. */
function secondsUntilNext(headers: Headers): number | undefined {
  const after = Number(headers.get('retry-after') ?? Number.NaN);
  const reset = Number(headers.get('x-rate-limit-reset') ?? Number.NaN) - Date.now() / 1000;
  const seconds = [after, reset].find((each) => Number.isFinite(each));
  return seconds === undefined ? undefined : Math.max(1, Math.ceil(seconds));
}

/** Errors: `channel/unavailable` for a response of unexpected shape. */
export function understood<T extends z.ZodType>(service: string, shape: T, body: unknown): z.infer<T> {
  const { data } = shape.safeParse(body);
  if (data === undefined)
    throw new AppError('channel/unavailable', `${service} gave an answer that cannot be read.`);
  return data;
}

/** A request with a JSON body. */
export function jsonRequest(
  method: 'POST' | 'PUT' | 'PATCH',
  body: unknown,
  headers: Record<string, string> = {},
) {
  return {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}
