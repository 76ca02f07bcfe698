import { AppError } from '../app-error.ts';
import { ACCEPTED_ENCODINGS } from './body.ts';

/** These reveal nothing about the caller, so another site may see them after a redirect. */
const carriedOver = new Set(['accept', 'accept-language', 'user-agent']);

/** Set by the connection itself; a caller's value could make a request pretend to be for another host or length. */
const ownedByConnection =
  /^(host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|accept-encoding|x-forwarded-.*|forwarded|proxy-.*)$/;

const defaults = { accept: '*/*', 'user-agent': 'Parley (reads pages for its users)' };

/** Headers for the first site. Errors: `request/invalid` for header injection. */
export function requestHeaders(given: Record<string, string> = {}): Record<string, string> {
  const headers: Record<string, string> = { ...defaults };
  for (const [name, value] of Object.entries(given)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t -~\u0080-\u00ff]*$/.test(value)) {
      throw new AppError('request/invalid', 'A header of this request is not valid.');
    }
    if (!ownedByConnection.test(name.toLowerCase())) headers[name.toLowerCase()] = value;
  }
  return { ...headers, 'accept-encoding': ACCEPTED_ENCODINGS };
}

/** What remains when a redirect leaves the site: no credentials, no cookies, nothing of the caller's. */
export function headersForAnotherSite(headers: Record<string, string>): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => carriedOver.has(name));
  return { ...Object.fromEntries(kept), 'accept-encoding': ACCEPTED_ENCODINGS };
}

/** Lower-case names, repeated headers joined; a site's cookies are dropped. */
export function responseHeaders(
  received: Record<string, string | string[] | undefined>,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(received)) {
    if (value !== undefined && name !== 'set-cookie')
      headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}
