import { filterYielding } from '../../load/yielding.ts';
import type { Tx } from '../../db/scope.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { ItemKey } from './keys.ts';
import { linkSources } from './new-sources.ts';
import { findOpenRevision } from './revisions/revision-store.ts';
import { beginRevision, type RevisionStart } from './revisions/revise.ts';
import { wantedBy } from './site/address.ts';
import { keepTyped, listLive, type NewSource } from './source-store.ts';
import type { StoredKnowledge } from './store.ts';

/**
 * Has a locked item reread from its addresses. If that is already in progress, nothing new is started; a revision
 * waiting for approval is superseded.
 */
export async function beginSync(
  tx: Tx,
  jobs: Jobs,
  key: ItemKey,
  item: StoredKnowledge,
  start: Omit<RevisionStart, 'seeds'>,
): Promise<void> {
  const open = await findOpenRevision(tx, key);
  if (open?.state === 'building' && start.cause !== 'edited') return;
  const number = await beginRevision(tx, key, item, { ...start, seeds: await seedsOf(tx, key, item) });
  await keepTyped(tx, key, item.revision, number);
  await jobs.enqueue(tx, 'knowledge.process', key);
}

/** Where to start: the given addresses and, for a whole site, every known page. The job reads sitemaps. */
async function seedsOf(tx: Tx, key: ItemKey, item: StoredKnowledge): Promise<NewSource[]> {
  const { site, links } = item;
  if (site?.mode === 'sitemap') return [];
  const given = linkSources(item.type === 'product' ? 'product' : 'page', links);
  if (site?.mode !== 'domain') return given;
  const isWanted = wantedBy(site);
  const known = await filterYielding(
    await listLive(tx, key, item.revision),
    ({ url }) => url !== null && !links.includes(url) && isWanted(url),
  );
  const pages = known.map(({ url }) => ({ kind: 'page' as const, title: url ?? '', url, depth: 1 }));
  return [...given, ...pages].slice(0, site.maxPages);
}
