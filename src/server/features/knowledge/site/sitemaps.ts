import type { SiteSettings } from '../../../../contract/knowledge.ts';
import { CRAWL_PAGES_MAX, SITEMAPS_MAX } from '../../../../contract/limits.ts';
import { AppError } from '../../../app-error.ts';
import { UnreadableError } from '../read/document.ts';
import { runInThread, WorkerError } from '../worker/run.ts';
import type { PoliteRequests } from './polite.ts';
import type { ListedAddresses, SitemapRequest } from './parse-sitemap.ts';

export interface SitemapPages {
  pages: string[];
  /** False if the sitemaps list more than was taken. */
  isComplete: boolean;
}

export interface SitemapOptions {
  signal: AbortSignal;
  maxPages?: number;
  /** Only pages allowed by these settings are taken, and at most their number. */
  site?: Pick<SiteSettings, 'include' | 'exclude' | 'maxPages'> | undefined;
  /** If the signal ends the read, what has been found so far is returned. */
  isPartEnough?: boolean;
}

/** A list of lists of lists; no real site nests deeper. */
const DEPTH_MAX = 3;
/** For fetching and parsing all of them, not counting the polite pauses in between. */
const WORK_MAX_MS = 30_000;
const PARSER_MEMORY_MIB = 256;

/**
 * The pages of `start`'s site listed in these sitemaps and in those they refer to. Each is read once, so that cycles
 * end; sitemaps and pages of other hosts are ignored. One that can't be read doesn't hold up the others. Errors: the
 * reason of the first one if nothing could be read.
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
      // Of the usual places a site has only one or the other.
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

/** An error caused by the site rather than us: worded for people. */
export function isTold(error: unknown): boolean {
  return error instanceof UnreadableError || error instanceof WorkerError || error instanceof AppError;
}
