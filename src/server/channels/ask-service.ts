import type * as z from 'zod';
import { AppError } from '../app-error.ts';
import { operatorFetch, type OperatorRequest } from '../egress/operator-fetch.ts';

/**
 * Asks the service of a channel, at the address that the operator has configured. `body` is undefined where there is no JSON.
 * Errors: `channel/unavailable`, also when the service wants to be asked later.
 */
export async function askService(
  service: string,
  url: string,
  request: OperatorRequest,
): Promise<{ status: number; body: unknown }> {
  const response = await operatorFetch(url, request).catch((cause: unknown) => {
    throw new AppError('channel/unavailable', `${service} cannot be reached.`, { cause });
  });
  if (response.status === 429)
    throw new AppError('channel/unavailable', `${service} wants to be asked later.`);
  return { status: response.status, body: await response.json().catch(() => undefined) };
}

/** Errors: `channel/unavailable` for an answer that is not what it should be. */
export function understood<T extends z.ZodType>(service: string, shape: T, body: unknown): z.infer<T> {
  const { data } = shape.safeParse(body);
  if (data === undefined)
    throw new AppError('channel/unavailable', `${service} gave an answer that cannot be read.`);
  return data;
}

/** A request whose body is JSON. */
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
