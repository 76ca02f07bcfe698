import type { FastifyRequest } from 'fastify';
import type { Location } from '../../contract/user.ts';

/** The headers in which proxies report a request's location: Cloudflare, Vercel, CloudFront. */
const headers: Record<keyof Location, string[]> = {
  country: ['cf-ipcountry', 'x-vercel-ip-country', 'cloudfront-viewer-country'],
  region: ['cf-region', 'x-vercel-ip-country-region', 'cloudfront-viewer-country-region-name'],
  city: ['cf-ipcity', 'x-vercel-ip-city', 'cloudfront-viewer-city'],
  postal: ['cf-postal-code', 'x-vercel-ip-postal-code', 'cloudfront-viewer-postal-code'],
  timezone: ['cf-timezone', 'x-vercel-ip-timezone', 'cloudfront-viewer-time-zone'],
};

/** Cloudflare's values for unknown addresses and Tor. */
const nowhere = new Set(['XX', 'T1']);

/**
 * The request's location according to a trusted proxy. Empty for a request without one: anybody could have set these
 * headers. Looks nothing up.
 */
export function placeOf(request: FastifyRequest): Partial<Location> {
  const isProxied = (request.ips?.length ?? 0) > 1;
  if (!isProxied) return {};
  const fields = Object.entries(headers) as [keyof Location, string[]][];
  return Object.fromEntries(
    fields.flatMap(([field, names]) => {
      const value = names.map((name) => request.headers[name]).find((each) => typeof each === 'string');
      return typeof value === 'string' && !nowhere.has(value) ? [[field, readable(value)]] : [];
    }),
  );
}

/** Some proxies percent-encode non-ASCII text. */
function readable(value: string): string {
  try {
    return decodeURIComponent(value).slice(0, 80);
  } catch {
    return value.slice(0, 80);
  }
}
