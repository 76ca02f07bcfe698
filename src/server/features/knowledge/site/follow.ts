import type { SiteSettings } from '../../../../contract/knowledge.ts';
import type { Document } from '../read/document.ts';
import { isOfSite, isWanted, normalizeAddress } from './address.ts';

/** Sitemaps and feeds are no pages, though pages link to them. */
const lists = /\.(xml|xml\.gz|rss|atom|rdf)$/i;

/** What to read after a page: the wanted pages of the same site that it links to, each once. */
export function linksToFollow(
  document: Document,
  page: { url: string; depth: number },
  site: SiteSettings,
  starts: string[],
): string[] {
  if (site.mode !== 'domain' || page.depth >= site.maxDepth) return [];
  const found = new Set<string>();
  for (const link of document.links ?? []) {
    const address = normalizeAddress(link, page.url);
    if (address === undefined || lists.test(new URL(address).pathname)) continue;
    if (starts.some((start) => isOfSite(address, start)) && isWanted(address, site)) found.add(address);
  }
  found.delete(normalizeAddress(page.url) ?? page.url);
  return [...found];
}
