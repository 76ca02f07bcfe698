import type { SiteSettings } from '../../../../contract/knowledge.ts';
import { CRAWL_PAGES_MAX, SITEMAPS_MAX } from '../../../../contract/limits.ts';
import { AppError } from '../../../app-error.ts';
import { UnreadableError } from '../read/document.ts';
import { runInThread, WorkerError } from '../worker/run.ts';
import type { PoliteRequests } from './polite.ts';
import type { ListedAddresses, SitemapRequest } from './parse-sitemap.ts';

export interface SitemapPages {
  pages: string[];
  /** False when the sitemaps list more than was taken. */
  isComplete: boolean;
}

export interface SitemapOptions {
  signal: AbortSignal;
  maxPages?: number;
  /** Only pages that these settings want are taken, and no more than they want. */
  site?: Pick<SiteSettings, 'include' | 'exclude' | 'maxPages'> | undefined;
  /** When the signal ends the reading, what has been found by then is the answer. */
  isPartEnough?: boolean;
}

/** A list of lists of lists; no real site goes deeper. */
const DEPTH_MAX = 3;
/** For getting and reading all of them, the polite pauses between them not counted. */
const WORK_MAX_MS = 30_000;
const PARSER_MEMORY_MIB = 256;

/**
 * The pages of the site of `start` that these sitemaps and those that they name list. Each is read once, so that a circle
 * ends; of other hosts neither a sitemap nor a page is taken. One that cannot be read does not hold up the others.
 * Errors: the reason of the first one when nothing could be read.
 */
export async function readSitemaps(
  polite: PoliteRequests,
  start: string,
  addresses: string[],
  { signal, maxPages = CRAWL_PAGES_MAX, site, isPartEnough = false }: SitemapOptions,
): Promise<SitemapPages> {
  const wanted = { start, include: [], exclude: [], maxPages, ...site };
  const pages = new Set<string>();
  const known = new Set(addresses);
  const queue = addresses.map((address) => ({ address, depth: 1 }));
  let failure: unknown;
  let [read, isComplete, leftMs] = [0, true, WORK_MAX_MS];
  for (let next = queue.shift(); next; next = queue.shift()) {
    if (pages.size >= wanted.maxPages || leftMs <= 0) return { pages: [...pages], isComplete: false };
    try {
      const { listed, tookMs } = await readOne(polite, next.address, wanted, leftMs, signal);
      leftMs -= tookMs;
      read += 1;
      isComplete &&= listed.isComplete;
      for (const page of listed.pages) {
        if (pages.size < wanted.maxPages) pages.add(page);
        else isComplete &&= pages.has(page);
      }
      for (const address of listed.sitemaps) {
        if (known.has(address)) continue;
        if (next.depth >= DEPTH_MAX || known.size >= SITEMAPS_MAX) isComplete = false;
        else queue.push({ address, depth: next.depth + 1 });
        if (known.size < SITEMAPS_MAX) known.add(address);
      }
    } catch (error) {
      if (signal.aborted && isPartEnough && pages.size > 0) return { pages: [...pages], isComplete: false };
      signal.throwIfAborted();
      if (!isTold(error)) throw error;
      failure ??= error;
      // Of the usual places a site has one or the other.
      isComplete &&= next.depth === 1;
    }
  }
  if (read === 0) throw failure ?? new UnreadableError('No sitemap was found.');
  return { pages: [...pages], isComplete };
}

async function readOne(
  polite: PoliteRequests,
  address: string,
  wanted: Omit<SitemapRequest, 'data' | 'url'>,
  leftMs: number,
  signal: AbortSignal,
): Promise<{ listed: ListedAddresses; tookMs: number }> {
  const began = performance.now();
  const answer = await polite.get(address, { signal, kind: 'sitemap', timeoutMs: leftMs });
  const { status, url, body, waitedMs } = answer;
  if (status !== 200) throw new UnreadableError(`The site answered ${status} when asked for its sitemap.`);
  const worked = () => performance.now() - began - waitedMs;
  const listed = await runInThread<SitemapRequest, ListedAddresses>(
    new URL('sitemap.worker.ts', import.meta.url),
    { ...wanted, data: body, url },
    { timeoutMs: Math.max(1, leftMs - worked()), memoryMib: PARSER_MEMORY_MIB, signal },
  );
  return { listed, tookMs: worked() };
}

/** What a site did, and not we: said in words for people. */
export function isTold(error: unknown): boolean {
  return error instanceof UnreadableError || error instanceof WorkerError || error instanceof AppError;
}
