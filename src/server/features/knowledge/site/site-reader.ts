import { filterYielding } from '../../../load/yielding.ts';
import type { Egress, EgressResponse } from '../../../egress/egress.ts';
import { UnreadableError } from '../read/document.ts';
import { kindOf, type ReadRequest } from '../read/read.ts';
import { isOfSite, normalizeAddress } from './address.ts';
import { forwardOf } from './forward.ts';
import { politeRequests } from './polite.ts';
import { readSitemaps, type SitemapOptions, type SitemapPages } from './sitemaps.ts';

export interface PageOptions {
  signal: AbortSignal;
  /** As returned when the page was last read. */
  etag?: string | null;
  lastModified?: string | null;
}

export type PageAnswer =
  | {
      kind: 'page';
      request: ReadRequest;
      /** After redirects, in canonical form. */
      url: string;
      etag: string | null;
      lastModified: string | null;
    }
  /** A feed or a sitemap: it has no text of its own, but lists pages. */
  | { kind: 'list' }
  /** Unchanged since it was last read. */
  | { kind: 'unchanged' }
  /** The site says there is no such page; any other failure is an error. */
  | { kind: 'gone'; reason: string };

/** Reads websites the way their owners want: according to robots.txt, slowly, and only what has changed. */
export interface SiteReader {
  /** Errors: those of egress, `UnreadableError` with a reason for people. */
  fetchPage(url: string, options: PageOptions): Promise<PageAnswer>;
  /**
   * Addresses of the pages listed in a sitemap and in those it refers to, on its own host, without duplicates, that may
   * be read; a site's home page stands for the site's sitemaps. The same errors.
   */
  sitemapPages(address: string, options: SitemapOptions): Promise<string[]>;
  /** The same for several sitemaps of `start`'s site, also reporting whether more is listed. */
  siteMapOf(start: string, addresses: string[], options: SitemapOptions): Promise<SitemapPages>;
  /** The addresses of a site's sitemaps: from its robots.txt, or else the usual places. */
  sitemapAddresses(start: string, signal: AbortSignal): Promise<string[]>;
  /** Those of one site's pages that its robots.txt allows us to read. */
  allowedOf(pages: string[], signal: AbortSignal): Promise<string[]>;
}

const usualSitemaps = ['/sitemap.xml', '/sitemap_index.xml'];
const lists = /^(application|text)\/((rss|atom|rdf)\+)?xml\b/i;
const FORWARDS_MAX = 5;
const ACCEPT = 'text/html, application/xhtml+xml, application/pdf, text/plain, */*;q=0.1';

/** Readers of one egress take turns at a host, so two items that read the same site share its rate limit. */
export function createSiteReader(deps: { egress: Egress; requestsPerSecond: number }): SiteReader {
  const polite = politeRequests(deps.egress, deps.requestsPerSecond);
  const siteMapOf: SiteReader['siteMapOf'] = (start, addresses, options) =>
    readSitemaps(polite, start, addresses, options);
  const sitemapAddresses: SiteReader['sitemapAddresses'] = async (start, signal) => {
    const { sitemaps } = await polite.rulesOf(start, signal);
    const named = sitemaps.flatMap((href) => URL.parse(href, start)?.href ?? []);
    const own = named.filter((address) => isOfSite(address, start));
    return own.length > 0 ? own : usualSitemaps.map((path) => new URL(path, start).href);
  };
  const allowedOf: SiteReader['allowedOf'] = async (pages, signal) => {
    const [first] = pages;
    if (first === undefined) return [];
    const { isAllowed } = await polite.rulesOf(first, signal);
    return filterYielding(pages, (page) => {
      signal.throwIfAborted();
      return isAllowed(page);
    });
  };
  const fetchPage = async (url: string, options: PageOptions, forwards = 0): Promise<PageAnswer> => {
    const { signal, etag, lastModified } = options;
    const headers: Record<string, string> = { accept: ACCEPT };
    if (etag) headers['if-none-match'] = etag;
    if (lastModified) headers['if-modified-since'] = lastModified;
    const answer = answerOf(await polite.get(url, { signal, headers }));
    const isHtml = answer.kind === 'page' && answer.request.kind === 'html';
    const next = isHtml ? forwardOf({ data: answer.request.data, url: answer.url }) : undefined;
    return next === undefined || forwards === FORWARDS_MAX ? answer : fetchPage(next, options, forwards + 1);
  };
  return {
    fetchPage: (url, options) => fetchPage(url, options),
    sitemapPages: async (address, options) => {
      const isHome = URL.parse(address)?.pathname === '/';
      const addresses = isHome ? await sitemapAddresses(address, options.signal) : [address];
      return allowedOf((await siteMapOf(address, addresses, options)).pages, options.signal);
    },
    siteMapOf,
    sitemapAddresses,
    allowedOf,
  };
}

function answerOf(response: EgressResponse): PageAnswer {
  const { status, headers, contentType, body } = response;
  if (status === 304) return { kind: 'unchanged' };
  if (status === 404 || status === 410)
    return { kind: 'gone', reason: `The site answered ${status}: the page does not exist.` };
  if (status !== 200) throw new UnreadableError(`The site answered ${status}.`);
  if (lists.test(contentType)) return { kind: 'list' };
  const kind = kindOf(contentType || 'text/html');
  if (!kind) throw new UnreadableError(`A page of type ${contentType} cannot be read.`);
  const charset = /charset=["']?([\w-]+)/i.exec(contentType)?.[1];
  const url = normalizeAddress(response.url) ?? response.url;
  return {
    kind: 'page',
    request: { kind, data: body, charset, url, robotsTag: headers['x-robots-tag'] },
    url,
    etag: headers['etag'] ?? null,
    lastModified: headers['last-modified'] ?? null,
  };
}
