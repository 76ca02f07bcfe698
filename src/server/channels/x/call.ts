import * as z from 'zod';
import { AppError } from '../../app-error.ts';
import { askService, jsonRequest } from '../ask-service.ts';

/** Where the API is, and by what token it is asked. */
export interface XAccess {
  apiUrl: string;
  token: string;
}

/** Whose account it is. */
export const Whose = z.object({
  data: z.object({ id: z.string().min(1), username: z.string().min(1).max(100) }),
});
export type Me = z.infer<typeof Whose>['data'];

const Failure = z.object({ detail: z.string().optional(), title: z.string().optional() });

/**
 * Asks X's API (version 2). Errors: `channel/unavailable`, also where the token is not good any more, which another one in its
 * place makes good; `channel/refused` with what X said.
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
