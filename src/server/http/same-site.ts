import type { FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A request that changes something and carries cookies must come from our own pages. Browsers say where a request comes
 * from in `Sec-Fetch-Site` or `Origin`; what sends neither is no browser, and has no cookies that somebody could abuse.
 */
export function refuseCrossSite(request: FastifyRequest): void {
  if (safeMethods.has(request.method) || request.headers.cookie === undefined) return;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) {
    if (site === 'same-origin' || site === 'none') return;
    throw new AppError('auth/cross-site');
  }
  const { origin } = request.headers;
  if (origin === undefined || URL.parse(origin)?.host === request.host) return;
  throw new AppError('auth/cross-site');
}
