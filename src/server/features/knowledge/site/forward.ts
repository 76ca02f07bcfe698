import { Parser } from 'htmlparser2';
import { isOfSite, normalizeAddress } from './address.ts';

/** A page that only forwards its readers is short. */
const FORWARD_MAX_BYTES = 8192;
/** A page that is reloaded later is meant to be read. */
const DELAY_MAX_SECONDS = 10;

const order = /^\s*(\d{1,9})(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?["']?([^"'\s][^"']*)/i;

/**
 * Where an HTML page forwards its readers on its own site, as start pages of documentation often do; undefined if it
 * doesn't.
 */
export function forwardOf(page: { data: Uint8Array; url: string }): string | undefined {
  if (page.data.length > FORWARD_MAX_BYTES) return undefined;
  const [, seconds, href] = order.exec(refreshOf(Buffer.from(page.data).toString())) ?? [];
  if (href === undefined || Number(seconds) > DELAY_MAX_SECONDS) return undefined;
  const address = normalizeAddress(href.trim(), page.url);
  return address !== undefined && address !== page.url && isOfSite(address, page.url) ? address : undefined;
}

/**
 * The page's order to be replaced; empty without one. One for browsers without scripts doesn't count: they often get a
 * page that says just that.
 */
function refreshOf(html: string): string {
  let found = '';
  let withoutScripts = 0;
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (name === 'noscript') withoutScripts += 1;
      const isRefresh = attributes['http-equiv']?.trim().toLowerCase() === 'refresh';
      if (name === 'meta' && isRefresh && withoutScripts === 0) found ||= attributes['content'] ?? '';
    },
    onclosetag: (name) => {
      if (name === 'noscript') withoutScripts -= 1;
    },
  });
  parser.end(html);
  return found;
}
