import type { SiteSettings } from '../../../../contract/knowledge.ts';
import type { Document } from '../read/document.ts';
import { filterYielding } from '../../../load/yielding.ts';
import { normalizeAddress, ofSites, wantedBy } from './address.ts';

/** Sitemaps and feeds aren't pages, though pages link to them. */
const lists = /\.(xml|xml\.gz|rss|atom|rdf)$/i;

/**
 * What to read after a page: the wanted pages of the same site that it links to, without duplicates. Yields to other
 * work: a page can have thousands of links, each matched against all patterns.
 */
export async function linksToFollow(
  document: Document,
  page: { url: string; depth: number },
  site: SiteSettings,
  starts: string[],
): Promise<string[]> {
  if (site.mode !== 'domain' || page.depth >= site.maxDepth) return [];
  const [isOfSite, isWanted] = [ofSites(starts), wantedBy(site)];
  const linked = new Set((document.links ?? []).flatMap((link) => normalizeAddress(link, page.url) ?? []));
  linked.delete(normalizeAddress(page.url) ?? page.url);
  return filterYielding(
    linked,
    (address) => !lists.test(new URL(address).pathname) && isOfSite(address) && isWanted(address),
  );
}
