import '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext } from '../call.ts';

export interface ContextOptions {
  /** Origin of this installation, never taken from a request: a forged Host header must not end up in a mail. */
  origin: () => string;
}

export function contextOf(
  request: FastifyRequest,
  reply: FastifyReply,
  options: ContextOptions,
): RequestContext {
  const secure = request.protocol === 'https';
  const gone = new AbortController();
  reply.raw.on('close', () => gone.abort());
  return {
    address: request.ip,
    origin: options.origin(),
    wantsStream: request.headers.accept?.includes('text/event-stream') ?? false,
    signal: gone.signal,
    cookies: {
      read: (name) => request.cookies[name],
      write: (name, value, { maxAgeSeconds, path = '/' }) => {
        reply.setCookie(name, value, {
          path,
          maxAge: maxAgeSeconds,
          httpOnly: true,
          sameSite: 'lax',
          secure,
        });
      },
      clear: (name, { path = '/' } = {}) => {
        reply.clearCookie(name, { path, httpOnly: true, sameSite: 'lax', secure });
      },
    },
  };
}
