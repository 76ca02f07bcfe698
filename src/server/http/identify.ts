import type { FastifyRequest } from 'fastify';
import { AGENT_KEY_PREFIX, END_USER_HEADER, type AgentKeys } from '../access/agent-keys.ts';
import { API_KEY_PREFIX, type ApiKeys } from '../access/api-keys.ts';
import { AppError } from '../app-error.ts';
import type { Identity } from '../identity/identity.ts';
import type { Caller, VisitorCaller } from '../call.ts';
import { verifyVisitorToken } from '../identity/visitor-tokens.ts';

export interface Credentials {
  identity: Identity;
  apiKeys: ApiKeys;
  agentKeys: AgentKeys;
}

/**
 * Identifies the caller of a request: by `Authorization: Bearer` with an identity token, a visitor's token or a key,
 * otherwise by the cookie that carries an identity token. An invalid bearer token is a 401; a stale cookie only makes
 * the caller anonymous.
 */
export function identifyBy(
  credentials: Credentials,
  cookieName: string,
): (request: FastifyRequest) => Promise<Caller> {
  const { identity } = credentials;
  return async (request) => {
    const { authorization } = request.headers;
    if (authorization !== undefined) {
      const token = /^Bearer ([\w.~+/-]+=*)$/i.exec(authorization)?.[1] ?? '';
      const caller = await bearerOf(credentials, token, request);
      if (!caller) throw new AppError('auth/unauthenticated', 'The bearer token is not valid.');
      return caller;
    }
    const cookie = request.cookies[cookieName];
    return (cookie !== undefined && (await identity.identify(cookie))) || { kind: 'anonymous' };
  };
}

async function bearerOf(
  { identity, apiKeys, agentKeys }: Credentials,
  token: string,
  request: FastifyRequest,
): Promise<Caller | undefined> {
  if (token.startsWith(API_KEY_PREFIX)) return apiKeys.identify(token);
  if (token.startsWith(AGENT_KEY_PREFIX))
    return agentKeys.identify(token, String(request.headers[END_USER_HEADER] ?? ''));
  const person = await identity.identify(token);
  if (person) return person;
  const visitor = await verifyVisitorToken(identity.keys, token);
  if (visitor) requireItsSite(request, visitor);
  return visitor;
}

/** On a page, a visitor's token is valid on the site it was made for, and in our own frame there. */
function requireItsSite(request: FastifyRequest, { site }: VisitorCaller): void {
  const { origin } = request.headers;
  if (origin === undefined || origin === site || URL.parse(origin)?.host === request.host) return;
  throw new AppError('visitor/origin-not-allowed', 'This token was made for another site.');
}
