import '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext } from '../call.ts';
import { AUTH_COOKIE } from '../identity/cookies.ts';
import { languageOf } from './language.ts';
import { placeOf } from './place.ts';

export interface ContextOptions {
  /** This installation's origin, never taken from a request: a forged Host header must not end up in an email. */
  origin: () => string;
}

export function contextOf(
  request: FastifyRequest,
  reply: FastifyReply,
  options: ContextOptions,
): RequestContext {
  const origin = options.origin();
  const secure = request.protocol === 'https' || origin.startsWith('https:');
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  // Over https, no other site on the same domain can plant a cookie with this name.
  const stored = (name: string) => (secure && name !== AUTH_COOKIE ? `__Host-${name}` : name);
  return {
    address: request.ip,
    origin,
    language: () => languageOf(request.headers['accept-language']),
    place: placeOf(request),
    site: request.headers.origin,
    writeKey: undefined,
    wantsStream: request.headers.accept?.includes('text/event-stream') ?? false,
    signal: goneSignal(reply),
    cookies: {
      read: (name) => request.cookies[stored(name)],
      write: (name, value, { maxAgeSeconds }) => {
        reply.setCookie(stored(name), value, { ...attributes, maxAge: maxAgeSeconds });
      },
      clear: (name) => {
        reply.clearCookie(stored(name), attributes);
      },
    },
  };
}

/** Aborted when the client has disconnected or has received everything. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  if (reply.raw.closed) gone.abort('gone');
  reply.raw.on('close', () => gone.abort('gone'));
  return gone.signal;
}
