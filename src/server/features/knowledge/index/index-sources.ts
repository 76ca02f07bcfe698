import type { Tx } from '../../../db/scope.ts';
import { analyseNow, type Analyse } from './analyse.ts';
import type { BuiltBlock } from './block.ts';
import {
  addBlock,
  addChunks,
  addPostings,
  dropBlocksOf,
  reserveNumbers,
  setLanguages,
  sourceTexts,
  type SizedSource,
} from './index-store.ts';
import type { ItemKey } from '../keys.ts';
import { renumbered } from './postings.ts';

/** Sources are made searchable together, in blocks of about this much text: one index row serves them all. */
const BLOCK_CHARACTERS = 1_000_000;

/**
 * Makes the texts of these sources of one item searchable, replacing whatever was searchable of them before: run twice,
 * or after being killed halfway, it leaves exactly one set of passages. Sources that share a block with them are
 * rewritten with them. The caller holds the item's lock.
 */
export async function indexSources(
  tx: Tx,
  item: ItemKey,
  sourceIds: string[],
  analyse: Analyse = analyseNow(),
): Promise<void> {
  const neighbours = await dropBlocksOf(tx, item, sourceIds);
  const texts = await sourceTexts(tx, item, [...sourceIds, ...neighbours.map(({ id }) => id)]);
  if (texts.length === 0) return;
  const built = await analyse(texts);
  if (!built) return;
  await setLanguages(tx, item, built.languages);
  if (built.chunkCount > 0) await writeBlock(tx, item, built);
}

/** Removes sources from the index; whatever shared a block with them, in a large item possibly all the rest, stays in it. */
export async function unindexSources(
  tx: Tx,
  item: ItemKey,
  sourceIds: string[],
  analyse: Analyse = analyseNow(),
): Promise<void> {
  const neighbours = await dropBlocksOf(tx, item, sourceIds);
  for (const ids of blocksOf(neighbours)) await indexSources(tx, item, ids, analyse);
}

/** Sources grouped into the blocks they are made searchable in. */
export function blocksOf(sources: SizedSource[]): string[][] {
  const blocks: string[][] = [];
  let room = 0;
  for (const { id, characters } of sources) {
    if (room <= 0) {
      blocks.push([]);
      room = BLOCK_CHARACTERS;
    }
    blocks.at(-1)?.push(id);
    room -= characters;
  }
  return blocks;
}

/** Makes an analyzed block searchable; the block is unchanged, and can be written again if this is rolled back. */
export async function writeBlock(tx: Tx, item: ItemKey, built: BuiltBlock): Promise<void> {
  const { chunkCount, wordCount, languages } = built;
  const firstNumber = await reserveNumbers(tx, chunkCount);
  const postings = renumbered(built.postings, firstNumber);
  const blockId = await addBlock(tx, item, {
    chunkCount,
    wordCount,
    languages: [...new Set(Object.values(languages))],
  });
  await addChunks(tx, item, { blockId, firstNumber, chunks: built.chunks });
  await addPostings(tx, item, blockId, { ...built, postings });
}
