import type { FastifyRequest } from 'fastify';
import { website } from '../../contract/website.ts';
import { AppError } from '../app-error.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
/** They change nothing here, but make the server fetch any address they name. */
const readingOut = new Set(Object.values(website).map(({ path }) => path.replace(/\{(\w+)\}/g, ':$1')));

/**
 * A request that changes something and carries cookies must come from our own pages. Browsers report the origin in
 * `Sec-Fetch-Site` or `Origin`; a client that sends neither is not a browser and has no cookies to abuse. A request
 * that makes the server fetch an address must prove it even as a GET, since a link in an email sends neither, unless
 * the caller is identified by something other than the cookie.
 */
export function refuseCrossSite(request: FastifyRequest): void {
  if (request.headers.cookie === undefined) return;
  if (readingOut.has(request.routeOptions.url ?? '')) return requireOwnPage(request);
  if (safeMethods.has(request.method)) return;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) {
    if (site === 'same-origin' || site === 'none') return;
    throw new AppError('auth/cross-site');
  }
  const { origin } = request.headers;
  if (origin === undefined || URL.parse(origin)?.host === request.host) return;
  throw new AppError('auth/cross-site');
}

function requireOwnPage(request: FastifyRequest): void {
  const { authorization, origin, 'sec-fetch-site': site } = request.headers;
  // A page of another site can't send this header, and if it is present the cookie doesn't count.
  if (authorization !== undefined) return;
  const isOwn = site === undefined ? URL.parse(origin ?? '')?.host === request.host : site === 'same-origin';
  if (!isOwn) throw new AppError('auth/cross-site');
}
