import type { Tx } from '../../../db/scope.ts';
import type { BuiltBlock, CutBlock, CutPassage } from './block.ts';
import { writeBlock } from './index-sources.ts';
import type { ItemKey } from '../keys.ts';
import { INDEX_MEMORY_MIB, INDEX_TIMEOUT_MS } from '../limits.ts';
import { runInProcess } from '../worker/run.ts';

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
  const built = await runInProcess<CutBlock, BuiltBlock>(
    new URL('restore-block.process.ts', import.meta.url),
    { passages, languages: Object.fromEntries(languages.entries()) },
    { timeoutMs: INDEX_TIMEOUT_MS, memoryMib: INDEX_MEMORY_MIB, signal },
  );
  await writeBlock(tx, item, built);
}
