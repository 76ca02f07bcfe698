import type { Tx } from '../../../db/scope.ts';
import type { Analyse } from './analyse.ts';
import { blocksOf, indexSources, unindexSources } from './index-sources.ts';
import type { ItemKey } from '../keys.ts';
import { settleCopies, updateSource, markReady } from '../source-store.ts';

/**
 * Brings the index in line with a revision: everything live that isn't a copy of another source is in it, once, and
 * nothing else is. Repeating it changes nothing, so it may be killed at any point. The caller holds the item's lock.
 * Returns how many blocks are left if `most` weren't enough.
 */
export async function reindex(
  tx: Tx,
  key: ItemKey,
  revision: number,
  analyse: Analyse,
  most = Infinity,
): Promise<number> {
  const { missing, superfluous } = await settleCopies(tx, key, revision);
  if (superfluous.length > 0) await unindexSources(tx, key, superfluous, analyse);
  const blocks = blocksOf(missing);
  for (const ids of blocks.slice(0, most)) {
    await indexSources(tx, key, ids, analyse);
    await updateSource(tx, key, ids, { state: 'ready' });
  }
  await markReady(tx, key, revision);
  return Math.max(0, blocks.length - most);
}
