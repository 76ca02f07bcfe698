import { parseUrl } from '../../../contract/parse-url.ts';

/** The only URL schemes that text from a model or a person may link to. */
const ALLOWED = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** A valid link target, or null. Relative addresses have no meaning in a message. */
export function linkAddress(href: string): string | null {
  const url = parseUrl(href);
  return url && ALLOWED.has(url.protocol) ? url.href : null;
}

/** An image that may be shown: one of our own files. Any other would reveal the reader to a foreign host. */
export function imageAddress(href: string, origin: string): string | null {
  const url = parseUrl(href, origin);
  return url && url.origin === origin && /^\/(files|images)\//.test(url.pathname)
    ? url.pathname + url.search
    : null;
}
