import { text } from './common.ts';
import { parseUrl } from './parse-url.ts';

/**
 * A site that may embed an agent: `https://shop.example`, with a port if it has one, or `https://*.shop.example` for
 * all names below it but not itself. It is stored in the form browsers use for an origin, with IDN as `xn--`.
 */
export const AllowedOrigin = text(255)
  .trim()
  .refine(
    (value) => canonicalOrigin(value) !== undefined,
    'Must be like https://shop.example or https://*.shop.example.',
  )
  .transform((value) => canonicalOrigin(value) ?? value);

/**
 * In the form browsers use; undefined for anything that isn't an origin, or for a wildcard covering more than one
 * owner's names.
 */
function canonicalOrigin(value: string): string | undefined {
  const [, scheme = '', wildcard = '', rest = ''] =
    /^(https?:\/\/)(\*\.)?([^/?#@\\*\s]+)\/?$/i.exec(value) ?? [];
  const url = parseUrl(scheme + rest);
  if (!url || url.hostname === '' || url.hostname.endsWith('.')) return undefined;
  if (!wildcard) return url.origin;
  const isName = /^[^.]+(\.[^.]+)+$/.test(url.hostname) && /[a-z]/.test(url.hostname.split('.').at(-1) ?? '');
  return isName ? url.origin.replace('://', '://*.') : undefined;
}
