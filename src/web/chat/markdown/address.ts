import { parseUrl } from '../../../contract/parse-url.ts';

/** The only kinds of address that text from a model or a person may lead to. */
const ALLOWED = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** An address that a link may have, or null. Relative addresses have no meaning in a message. */
export function linkAddress(href: string): string | null {
  const url = parseUrl(href);
  return url && ALLOWED.has(url.protocol) ? url.href : null;
}

/** An image that may be shown: one of our own files. Any other would tell a foreign host who reads. */
export function imageAddress(href: string, origin: string): string | null {
  const url = parseUrl(href, origin);
  return url && url.origin === origin && /^\/(files|images)\//.test(url.pathname)
    ? url.pathname + url.search
    : null;
}
