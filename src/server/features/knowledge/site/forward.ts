import { isOfSite, normalizeAddress } from './address.ts';

/** A page that only forwards its readers is short. */
const FORWARD_MAX_BYTES = 8192;
/** A page that is reloaded later is meant to be read. */
const DELAY_MAX_SECONDS = 10;

/** What isn't there, or only for browsers without scripts, which often get a page that says just that. */
const aside = /<!--[^]*?-->|<noscript\b[^]*?<\/noscript>/gi;
const refresh =
  /<meta\s(?=[^>]*\bhttp-equiv\s*=\s*["']?refresh\b)[^>]*\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)')/i;
const order = /^\s*(\d{1,9})(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?["']?([^"'\s][^"']*)/i;

/**
 * Where an HTML page forwards its readers on its own site, as start pages of documentation often do; undefined if it
 * doesn't.
 */
export function forwardOf(page: { data: Uint8Array; url: string }): string | undefined {
  if (page.data.length > FORWARD_MAX_BYTES) return undefined;
  const html = Buffer.from(page.data).toString('latin1').replace(aside, '');
  const [, double, single] = refresh.exec(html) ?? [];
  const [, seconds, href] = order.exec(double ?? single ?? '') ?? [];
  if (href === undefined || Number(seconds) > DELAY_MAX_SECONDS) return undefined;
  const address = normalizeAddress(href.trim().replaceAll('&amp;', '&'), page.url);
  return address !== undefined && address !== page.url && isOfSite(address, page.url) ? address : undefined;
}
