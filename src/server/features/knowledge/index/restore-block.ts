import type { Tx } from '../../../db/scope.ts';
import { analyseCut } from './analyse.ts';
import type { CutPassage } from './block.ts';
import { writeBlock } from './index-sources.ts';
import type { ItemKey } from '../keys.ts';

/**
 * Makes passages that were split elsewhere searchable as one block: by their content, without rereading or splitting,
 * so that they are found as they were there. Ties rank in the given order; blocks restored later come after.
 */
export async function restoreBlock(
  tx: Tx,
  item: ItemKey,
  { passages, languages }: { passages: CutPassage[]; languages: string[] },
  signal?: AbortSignal,
): Promise<void> {
  const block = { passages, languages: Object.fromEntries(languages.entries()) };
  await writeBlock(tx, item, await analyseCut(block, signal));
}
