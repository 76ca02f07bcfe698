import type { FastifyRequest } from 'fastify';
import { website } from '../../contract/website.ts';
import { AppError } from '../app-error.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
/** They change nothing here, but make the server read whatever address they name. */
const readingOut = new Set(Object.values(website).map(({ path }) => path.replace(/\{(\w+)\}/g, ':$1')));

/**
 * A request that changes something and carries cookies must come from our own pages. Browsers say where a request comes
 * from in `Sec-Fetch-Site` or `Origin`; what sends neither is no browser, and has no cookies that somebody could abuse.
 * One that makes the server read an address must say so even as a GET, for a link in a mail says nothing, unless it is
 * not by its cookie that we know who makes it.
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
  // A page of another site cannot send one, and where there is one the cookie does not count.
  if (authorization !== undefined) return;
  const isOwn = site === undefined ? URL.parse(origin ?? '')?.host === request.host : site === 'same-origin';
  if (!isOwn) throw new AppError('auth/cross-site');
}
