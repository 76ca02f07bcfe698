import * as z from 'zod';
import { AppError } from '../../app-error.ts';
import { askService, jsonRequest } from '../ask-service.ts';

/** The API's address, and the access token. */
export interface XAccess {
  apiUrl: string;
  token: string;
}

/** The owner of the account. */
export const Whose = z.object({
  data: z.object({ id: z.string().min(1), username: z.string().min(1).max(100) }),
});
export type Me = z.infer<typeof Whose>['data'];

const Failure = z.object({ detail: z.string().optional(), title: z.string().optional() });

/**
 * Calls X's API (version 2). Errors: `channel/unavailable`, also for an expired token, which a renewed one fixes;
 * `channel/refused` with X's message.
 */
export async function callX(
  { apiUrl, token }: XAccess,
  path: string,
  content?: object,
): Promise<{ body: unknown; headers: Headers }> {
  const authorization = { authorization: `Bearer ${token}` };
  const request = content ? jsonRequest('POST', content, authorization) : { headers: authorization };
  const { status, body, headers } = await askService('X', `${apiUrl}/2${path}`, request);
  if (status < 400) return { body, headers };
  if (status === 401) throw new AppError('channel/unavailable', 'X refused access to the account.');
  const { detail, title } = Failure.safeParse(body).data ?? {};
  throw new AppError('channel/refused', `X said: ${detail ?? title ?? status}`);
}
