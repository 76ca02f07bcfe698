import { text } from './common.ts';
import { parseUrl } from './parse-url.ts';

/**
 * A site that may show an agent: `https://shop.example`, with a port where there is one, or `https://*.shop.example` for
 * all names below it but not itself. It is kept as a browser writes an origin, IDN as `xn--`.
 */
export const AllowedOrigin = text(255)
  .trim()
  .refine(
    (value) => canonicalOrigin(value) !== undefined,
    'Must be like https://shop.example or https://*.shop.example.',
  )
  .transform((value) => canonicalOrigin(value) ?? value);

/** As a browser writes it; undefined for what is no origin, or a wildcard over more than one owner's names. */
function canonicalOrigin(value: string): string | undefined {
  const [, scheme = '', wildcard = '', rest = ''] =
    /^(https?:\/\/)(\*\.)?([^/?#@\\*\s]+)\/?$/i.exec(value) ?? [];
  const url = parseUrl(scheme + rest);
  if (!url || url.hostname === '' || url.hostname.endsWith('.')) return undefined;
  if (!wildcard) return url.origin;
  const isName = /^[^.]+(\.[^.]+)+$/.test(url.hostname) && /[a-z]/.test(url.hostname.split('.').at(-1) ?? '');
  return isName ? url.origin.replace('://', '://*.') : undefined;
}
