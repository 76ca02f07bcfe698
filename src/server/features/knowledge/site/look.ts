import { CRAWL_PAGES_MAX } from '../../../../contract/limits.ts';
import type { WebsiteLook } from '../../../../contract/website.ts';
import { AppError } from '../../../app-error.ts';
import { UnreadableError, type Document } from '../read/document.ts';
import { readDocument } from '../read/read.ts';
import { isOfSite } from './address.ts';
import { linksToFollow } from './follow.ts';
import type { PageAnswer, SiteReader } from './site-reader.ts';
import { isTold, type SitemapPages } from './sitemaps.ts';

/** Any more are counted but not listed. */
const LINKS_SHOWN_MAX = 1000;
/** If a site's pages are known from its sitemap, this many are read to estimate their length. */
const SAMPLE_PAGES = 3;
/** A look follows links anywhere on the site; an actual read is limited by its settings. */
const everything = {
  mode: 'domain',
  include: [],
  exclude: [],
  maxPages: CRAWL_PAGES_MAX,
  maxDepth: 1000,
} as const;

/** What has been found on a site so far. */
class Findings {
  readonly #titles = new Map<string, string | null>();
  readonly #read = new Set<string>();
  #bytes = 0;

  add(pages: string[]): void {
    for (const page of pages)
      if (this.#titles.size < CRAWL_PAGES_MAX && !this.#titles.has(page)) this.#titles.set(page, null);
  }

  read(url: string, { title, text }: Document): void {
    this.#titles.set(url, title);
    if (this.#read.has(url)) return;
    this.#read.add(url);
    this.#bytes += Buffer.byteLength(text);
  }

  remove(page: string): void {
    this.#titles.delete(page);
  }

  get unread(): string[] {
    return [...this.#titles.keys()].filter((page) => !this.#read.has(page));
  }

  look(isComplete: boolean): WebsiteLook {
    const pages = this.#titles.size;
    const links = [...this.#titles].slice(0, LINKS_SHOWN_MAX).map(([url, title]) => ({ url, title }));
    const estimatedBytes = Math.round((this.#bytes / Math.max(1, this.#read.size)) * pages);
    return { links, pages, estimatedBytes, isComplete: isComplete && pages < CRAWL_PAGES_MAX };
  }
}

/**
 * A whole site's pages, found through its links as a read would, until `signal` ends the look; the pages in its sitemap
 * count if following links wasn't finished by then. Errors: those of egress, `UnreadableError` with a reason; none for
 * a failing part of the site.
 */
export async function lookAtDomain(
  reader: SiteReader,
  website: string,
  signal: AbortSignal,
): Promise<WebsiteLook> {
  const found = new Findings();
  const start = await firstPage(reader, website, signal);
  if (start === 'list') return lookAtSitemap(reader, website, signal);
  const first = await readTo(found, start, signal);
  const listed = inTime(siteMapOf(reader, start.url, signal), signal);
  if (!first) throw new UnreadableError(`${NOTHING_HERE}${(await listed)?.pages.length ? ITS_SITEMAP : ''}`);
  const isComplete = await followLinks(reader, found, { url: start.url, document: first }, signal);
  if (!isComplete) found.add((await listed)?.pages ?? []);
  return found.look(isComplete);
}

const NOTHING_HERE = 'The page has no readable text or links.';
/** A page filled in by scripts often belongs to a site with a sitemap. */
const ITS_SITEMAP = ' The sitemap of the site lists its pages: read that.';

const NOTHING_ALLOWED = 'The site allows none of the pages in its sitemap to be read (robots.txt).';

/** The pages listed in a sitemap that the site allows to be read: the given sitemap, or else the site's own. The same errors. */
export async function lookAtSitemap(
  reader: SiteReader,
  website: string,
  signal: AbortSignal,
): Promise<WebsiteLook> {
  const listed = await tryEach(website, signal, (address) => listedAt(reader, address, signal));
  if (listed.pages.length === 0) throw new UnreadableError('The sitemap lists no pages of this site.');
  const pages = (await inTime(reader.allowedOf(listed.pages, signal), signal)) ?? listed.pages;
  if (pages.length === 0) throw new UnreadableError(NOTHING_ALLOWED);
  const found = new Findings();
  found.add(pages);
  await readSample(reader, found, signal);
  return found.look(listed.isComplete);
}

async function listedAt(reader: SiteReader, address: string, signal: AbortSignal): Promise<SitemapPages> {
  const isNamed = (URL.parse(address)?.pathname ?? '/') !== '/';
  const named = isNamed
    ? await reader.siteMapOf(address, [address], options(signal)).catch((error: unknown) => {
        if (isTold(error)) return undefined;
        throw error;
      })
    : undefined;
  return named ?? siteMapOf(reader, address, signal);
}

async function siteMapOf(reader: SiteReader, start: string, signal: AbortSignal): Promise<SitemapPages> {
  const addresses = await reader.sitemapAddresses(start, signal);
  return reader.siteMapOf(start, addresses, options(signal)).catch((error: unknown) => {
    throw isTold(error) ? new UnreadableError('No sitemap was found there.') : error;
  });
}

const options = (signal: AbortSignal) => ({ signal, isPartEnough: true });

type Page = Extract<PageAnswer, { kind: 'page' }>;

async function firstPage(reader: SiteReader, website: string, signal: AbortSignal): Promise<Page | 'list'> {
  return tryEach(website, signal, async (address) => {
    const answer = await reader.fetchPage(address, { signal });
    if (answer.kind === 'page') return answer;
    if (answer.kind === 'list') return 'list';
    throw new UnreadableError(answer.kind === 'gone' ? answer.reason : 'The site returned no page.');
  });
}

/** An address without https:// is tried with it, and without encryption if that fails. */
async function tryEach<T>(
  website: string,
  signal: AbortSignal,
  work: (address: string) => Promise<T>,
): Promise<T> {
  const given = website.trim();
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(given)) return work(given);
  return work(`https://${given}`).catch((error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof AppError && error.code === 'egress/failed') return work(`http://${given}`);
    throw error;
  });
}

/** Returns whether all links were followed. */
async function followLinks(
  reader: SiteReader,
  found: Findings,
  start: { url: string; document: Document },
  signal: AbortSignal,
): Promise<boolean> {
  const read = new Set([start.url]);
  found.add(await linksFrom(start.document, start.url, start.url));
  for (let next = nextOf(found, read); next !== undefined; next = nextOf(found, read)) {
    if (signal.aborted || read.size >= CRAWL_PAGES_MAX) return false;
    read.add(next);
    const page = await tryPage(reader, next, signal);
    if (signal.aborted) return false;
    const document = page && isOfSite(page.url, start.url) ? await readTo(found, page, signal) : undefined;
    if (!document || document.isHidden || page?.url !== next) found.remove(next);
    if (!page || !document) continue;
    read.add(page.url);
    const links = await linksFrom(document, page.url, start.url);
    found.add(links.filter((link) => !read.has(link)));
  }
  return true;
}

function nextOf(found: Findings, read: Set<string>): string | undefined {
  return found.unread.find((page) => !read.has(page));
}

function linksFrom(document: Document, url: string, start: string): Promise<string[]> {
  return linksToFollow(document, { url, depth: 0 }, { ...everything, include: [], exclude: [] }, [start]);
}

async function readSample(reader: SiteReader, found: Findings, signal: AbortSignal): Promise<void> {
  for (const url of found.unread.slice(0, SAMPLE_PAGES)) {
    const page = await tryPage(reader, url, signal);
    if (page) await readTo(found, { ...page, url }, signal);
  }
}

async function tryPage(reader: SiteReader, url: string, signal: AbortSignal): Promise<Page | undefined> {
  const answer = await inTime(reader.fetchPage(url, { signal }), signal);
  return answer?.kind === 'page' ? answer : undefined;
}

/** Undefined for a page without readable content, or one that asks not to be indexed. */
async function readTo(found: Findings, page: Page, signal: AbortSignal): Promise<Document | undefined> {
  const document = await inTime(readDocument(page.request, signal), signal);
  if (document && !document.isHidden) found.read(page.url, document);
  return document;
}

/** A part that fails, or is cut off by the end of the look, is left out. */
async function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (signal.aborted || isTold(error)) return undefined;
    throw error;
  });
}
