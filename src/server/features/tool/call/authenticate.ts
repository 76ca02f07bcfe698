import type { Authentication } from '../../../../contract/tool.ts';
import type { ServiceRequest } from './request.ts';

/** Proves the caller's identity: the secret itself or, for OAuth, the token issued for it. */
export interface Proof {
  authentication: Authentication;
  credential: string;
}

/** The request with its proof, which nothing the model wrote can override. */
export function authenticated(
  request: ServiceRequest,
  { authentication, credential }: Proof,
): ServiceRequest {
  const { headers } = request;
  switch (authentication.type) {
    case 'none':
      return request;
    case 'apiKey':
      return withKey(request, authentication, credential);
    case 'basic':
      return {
        ...request,
        headers: { ...headers, authorization: basic(authentication.username, credential) },
      };
    case 'bearer':
    case 'oauth2':
    case 'authorizationCode':
      return { ...request, headers: { ...headers, authorization: `Bearer ${credential}` } };
  }
}

function withKey(
  request: ServiceRequest,
  { in: place, name }: Extract<Authentication, { type: 'apiKey' }>,
  key: string,
): ServiceRequest {
  if (place === 'query') {
    const url = new URL(request.url);
    url.searchParams.set(name, key);
    return { ...request, url };
  }
  const { cookie, ...others } = request.headers;
  const rest = cookie === undefined ? others : { ...others, cookie };
  if (place === 'header') return { ...request, headers: { ...rest, [name.toLowerCase()]: key } };
  const pairs = (cookie ?? '').split('; ').filter((pair) => pair !== '' && !pair.startsWith(`${name}=`));
  return {
    ...request,
    headers: { ...others, cookie: [...pairs, `${name}=${encodeURIComponent(key)}`].join('; ') },
  };
}

export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** Every form in which these secrets may come back from a service that echoes what it was sent. */
export function spellingsOf(secrets: string[], { authentication, credential }: Proof): string[] {
  const plain = [...secrets, credential].filter((secret) => secret !== '');
  const joined =
    authentication.type === 'basic'
      ? [basic(authentication.username, credential).slice('Basic '.length)]
      : [];
  const all = [...plain, ...joined].flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ s: secret }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
  ]);
  // Longest first, so that masking one leaves no part of another that contains it.
  return [...new Set(all)].toSorted((a, b) => b.length - a.length);
}

export const MASK = '•••';

export function masked(text: string, secrets: string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, MASK), text);
}
