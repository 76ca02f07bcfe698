import { gunzipSync } from 'node:zlib';
import { PAGE_MAX_COMPRESSION_RATIO, SITEMAP_MAX_BYTES, SITEMAPS_MAX } from '../../../../contract/limits.ts';
import { UnreadableError } from '../read/document.ts';
import { scanXml } from '../read/xml.ts';
import { normalizeAddress, ofSites, wantedBy } from './address.ts';

export interface SitemapRequest {
  data: Uint8Array;
  /** Where it was found. */
  url: string;
  /** Only this site's addresses are taken, */
  start: string;
  /** and only those allowed by its settings. */
  include: string[];
  exclude: string[];
  maxPages: number;
}

/** The contents of one sitemap, in order, without duplicates. */
export interface ListedAddresses {
  pages: string[];
  sitemaps: string[];
  isComplete: boolean;
}

const ADDRESS_MAX_CHARACTERS = 2048;
const PART_BYTES = 65_536;

/**
 * Parses a sitemap (urlset or sitemapindex), an RSS or Atom feed, or a plain list of addresses, compressed or not. It
 * is read once, in pieces, and only as far as the last page needed. Definitions in the file are never expanded: a file
 * with a document type is rejected, so it has no entities. Errors: `UnreadableError` with a reason.
 */
export function parseSitemap(request: SitemapRequest): ListedAddresses {
  const data = unpacked(request.data);
  const list = new AddressList(request);
  if (isXml(data)) readXml(data, list);
  else readLines(data, list);
  return list.result();
}

/** Detected by its first bytes, whatever its name. */
function unpacked(data: Uint8Array): Uint8Array {
  if (data[0] !== 0x1f || data[1] !== 0x8b) return data;
  const maxOutputLength = Math.min(SITEMAP_MAX_BYTES, data.length * PAGE_MAX_COMPRESSION_RATIO);
  try {
    return gunzipSync(data, { maxOutputLength });
  } catch (error) {
    if (error instanceof RangeError) throw new UnreadableError('The sitemap is too large.');
    throw new UnreadableError('The sitemap is damaged.');
  }
}

/** A file with a UTF-16 byte order mark is taken for XML, which declares its own encoding. */
function isXml(data: Uint8Array): boolean {
  const [first = 0, second = 0] = data;
  if (first >= 0xfe && second >= 0xfe) return true;
  return /^\ufeff?\s*</.test(new TextDecoder().decode(data.subarray(0, 1024)));
}

/** Collects addresses until it has enough. */
class AddressList {
  readonly #request: SitemapRequest;
  readonly #isOfSite: (address: string) => boolean;
  readonly #isWanted: (address: string) => boolean;
  readonly #pages = new Set<string>();
  readonly #sitemaps = new Set<string>();
  #isCut = false;

  constructor(request: SitemapRequest) {
    this.#request = request;
    this.#isOfSite = ofSites([request.start]);
    this.#isWanted = wantedBy(request);
  }

  get isFull(): boolean {
    return this.#isCut;
  }

  addPage(href: string): void {
    const { url, maxPages } = this.#request;
    const address = normalizeAddress(href.trim(), url);
    if (address === undefined || !this.#isOfSite(address) || this.#pages.has(address)) return;
    if (!this.#isWanted(address)) return;
    if (this.#pages.size >= maxPages) this.#isCut = true;
    else this.#pages.add(address);
  }

  addSitemap(href: string): void {
    const address = URL.parse(href.trim(), this.#request.url)?.href;
    if (address === undefined || !this.#isOfSite(address)) return;
    if (this.#sitemaps.size >= SITEMAPS_MAX) this.#isCut = true;
    else this.#sitemaps.add(address);
  }

  result(): ListedAddresses {
    return { pages: [...this.#pages], sitemaps: [...this.#sitemaps], isComplete: !this.#isCut };
  }
}

/** The elements, by parent and own name, whose text is an address. */
const places = new Map([
  ['url loc', 'page'],
  ['sitemap loc', 'sitemap'],
  ['item link', 'page'],
]);
const roots = new Set(['urlset', 'sitemapindex', 'rss', 'feed', 'rdf']);

/** Thrown to stop reading; everything needed has been collected. */
class Enough extends Error {}

function readXml(data: Uint8Array, list: AddressList): void {
  const path: string[] = [];
  let text = '';
  const open = (tag: string, attributes: Record<string, string>) => {
    const name = tag.toLowerCase();
    if (path.length === 0 && !roots.has(name)) throw noSitemap();
    path.push(name);
    text = '';
    const isEntry = name === 'link' && path.at(-2) === 'entry';
    if (isEntry && (attributes['rel'] ?? 'alternate') === 'alternate') list.addPage(attributes['href'] ?? '');
  };
  const close = () => {
    const place = places.get(path.slice(-2).join(' '));
    path.pop();
    if (place === 'page') list.addPage(text);
    else if (place === 'sitemap') list.addSitemap(text);
    text = '';
    if (list.isFull) throw new Enough();
  };
  const append = (part: string) => {
    if (text.length <= ADDRESS_MAX_CHARACTERS) text += part;
  };
  try {
    scanXml(data, { open, close, text: append });
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
}

function readLines(data: Uint8Array, list: AddressList): void {
  let rest = '';
  let isEmpty = true;
  const take = (line: string) => {
    if (!/^https?:\/\/\S+$/i.test(line.trim())) return;
    isEmpty = false;
    list.addPage(line);
  };
  eachPart(data, (part) => {
    const lines = (rest + part).split(/\r\n?|\n/);
    rest = (lines.pop() ?? '').slice(-ADDRESS_MAX_CHARACTERS - 1);
    lines.forEach(take);
    return !list.isFull;
  });
  take(rest.replace(/^\ufeff/, ''));
  if (isEmpty) throw noSitemap();
}

/** Until `work` reports that it has enough. */
function eachPart(data: Uint8Array, work: (part: string) => boolean): void {
  const decoder = new TextDecoder();
  for (let from = 0; from < data.length; from += PART_BYTES) {
    const isLast = from + PART_BYTES >= data.length;
    if (!work(decoder.decode(data.subarray(from, from + PART_BYTES), { stream: !isLast }))) return;
  }
}

function noSitemap(): UnreadableError {
  return new UnreadableError('This is not a readable sitemap.');
}
