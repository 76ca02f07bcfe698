import type { Tx } from '../../../db/scope.ts';
import { analyseCut } from './analyse.ts';
import type { CutPassage } from './block.ts';
import { writeBlock } from './index-sources.ts';
import type { ItemKey } from '../keys.ts';

/**
 * Makes passages searchable that were cut elsewhere, as one block: by what they say, with nothing read or cut anew, so that
 * they are found as they were there. Of equal ones the first is ranked first; a block restored later comes after.
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
