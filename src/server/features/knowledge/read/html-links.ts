import type { CheerioAPI } from 'cheerio/slim';
import { isOfSite, normalizeAddress } from '../site/address.ts';
import type { Document } from './document.ts';

/** What is known about a page besides its content. */
export interface PageOrigin {
  url?: string;
  robotsTag?: string | undefined;
}

const LINKS_MAX = 2000;

/** Where a page's links lead, and its directives for crawlers: nofollow, noindex, a canonical address. */
export function linksOf($: CheerioAPI, from: PageOrigin): Pick<Document, 'links' | 'canonical' | 'isHidden'> {
  const wishes = wishesOf($, from);
  const isHidden = wishes.has('noindex') || wishes.has('none');
  const base = baseOf($, from.url);
  const links = wishes.has('nofollow') || wishes.has('none') ? [] : followable($, base);
  const canonical = canonicalOf($, base, from.url);
  return { links, ...(canonical ? { canonical } : {}), ...(isHidden ? { isHidden } : {}) };
}

/** From the page itself and the site's response; a directive for one crawler applies only to that one. */
function wishesOf($: CheerioAPI, { robotsTag = '' }: PageOrigin): Set<string> {
  const own = $('meta[name][content]')
    .toArray()
    .filter(({ attribs }) => /^(robots|parleybot)$/i.test(attribs['name']?.trim() ?? ''))
    .map(({ attribs }) => attribs['content'] ?? '');
  // `otherbot: noindex, nofollow` isn't for us; its values extend to the end of that header. `max-snippet: 20` names no
  // crawler.
  const sent = /^\s*(?!parleybot\b|max-|unavailable_after\b)[\w-]+\s*:/i.test(robotsTag)
    ? ''
    : robotsTag.replace(/^\s*parleybot\s*:/i, '');
  return new Set(
    [...own, sent]
      .join(',')
      .toLowerCase()
      .split(/[\s,]+/),
  );
}

/** The address that a page's links are relative to. */
export function baseOf($: CheerioAPI, url: string | undefined): string | undefined {
  const given = $('base[href]').first().attr('href');
  return given === undefined ? url : (URL.parse(given, url)?.href ?? url);
}

function followable($: CheerioAPI, base: string | undefined): string[] {
  const links = new Set<string>();
  for (const { attribs } of $('a[href], area[href]').toArray()) {
    if (/(^|\s)nofollow(\s|$)/i.test(attribs['rel'] ?? '')) continue;
    const address = normalizeAddress(attribs['href'] ?? '', base);
    if (address !== undefined) links.add(address);
    if (links.size >= LINKS_MAX) break;
  }
  return [...links];
}

function canonicalOf($: CheerioAPI, base: string | undefined, url: string | undefined): string | undefined {
  const given = $('link[rel~=canonical][href]').first().attr('href');
  const address = given === undefined ? undefined : normalizeAddress(given, base);
  return address !== undefined && url !== undefined && isOfSite(address, url) ? address : undefined;
}
