import type { FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import type { Identity } from '../identity/identity.ts';
import type { Caller } from '../call.ts';

/**
 * Who makes a request: by `Authorization: Bearer`, else by the cookie that carries the same token. A bearer token that is
 * not valid is a 401, a stale cookie only makes its bearer a stranger.
 */
export function identifyBy(
  identity: Identity,
  cookieName: string,
): (request: FastifyRequest) => Promise<Caller> {
  return async (request) => {
    const { authorization } = request.headers;
    if (authorization !== undefined) {
      const token = /^Bearer ([\w.~+/-]+=*)$/i.exec(authorization)?.[1];
      const caller = token === undefined ? undefined : await identity.identify(token);
      if (!caller) throw new AppError('auth/unauthenticated', 'The bearer token is not valid.');
      return caller;
    }
    const cookie = request.cookies[cookieName];
    return (cookie !== undefined && (await identity.identify(cookie))) || { kind: 'anonymous' };
  };
}
