import type { FastifyRequest } from 'fastify';
import { API_KEY_PREFIX, type ApiKeys } from '../access/api-keys.ts';
import { AppError } from '../app-error.ts';
import type { Identity } from '../identity/identity.ts';
import type { Caller } from '../call.ts';

/**
 * Who makes a request: by `Authorization: Bearer` with an identity token or an API key, else by the cookie that carries
 * the same token. A bearer token that is not valid is a 401, a stale cookie only makes its bearer a stranger.
 */
export function identifyBy(
  identity: Identity,
  apiKeys: ApiKeys,
  cookieName: string,
): (request: FastifyRequest) => Promise<Caller> {
  return async (request) => {
    const { authorization } = request.headers;
    if (authorization !== undefined) {
      const token = /^Bearer ([\w.~+/-]+=*)$/i.exec(authorization)?.[1] ?? '';
      const caller = await (token.startsWith(API_KEY_PREFIX) ? apiKeys : identity).identify(token);
      if (!caller) throw new AppError('auth/unauthenticated', 'The bearer token is not valid.');
      return caller;
    }
    const cookie = request.cookies[cookieName];
    return (cookie !== undefined && (await identity.identify(cookie))) || { kind: 'anonymous' };
  };
}
