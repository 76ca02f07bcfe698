import { INDEX_MEMORY_MIB, INDEX_TIMEOUT_MS } from './limits.ts';
import { newId } from '../../id.ts';
import type { Tx } from '../../db/scope.ts';
import type { BuiltBlock, SourceText } from './block.ts';
import {
  addBlock,
  addChunks,
  addPostings,
  dropBlocksOf,
  newChunkNumbers,
  setLanguages,
  sourceTexts,
  type ItemKey,
  type PackedPostings,
} from './index-store.ts';
import { appendPosting, BYTES_A_POSTING } from './postings.ts';
import { runInWorker } from './worker/run.ts';

/**
 * Makes the texts of these sources of one item searchable, in place of whatever of them was searchable before: run
 * twice, or after being killed in the middle, it leaves exactly one set of passages. Sources that share a block with
 * them are written anew with them. The caller holds the item's lock.
 */
export async function indexSources(
  tx: Tx,
  item: ItemKey,
  sourceIds: string[],
  signal?: AbortSignal,
): Promise<void> {
  const neighbours = await dropBlocksOf(tx, sourceIds);
  const texts = await sourceTexts(tx, [...sourceIds, ...neighbours]);
  if (texts.length === 0) return;
  const built = await runInWorker<SourceText[], BuiltBlock>(
    new URL('block.worker.ts', import.meta.url),
    texts,
    {
      timeoutMs: INDEX_TIMEOUT_MS,
      memoryMib: INDEX_MEMORY_MIB,
      signal,
    },
  );
  await setLanguages(tx, built.languages);
  if (built.chunks.length > 0) await writeBlock(tx, item, built);
}

/** Takes sources out of the index; what shared a block with them stays in it. */
export async function unindexSources(
  tx: Tx,
  item: ItemKey,
  sourceIds: string[],
  signal?: AbortSignal,
): Promise<void> {
  const neighbours = await dropBlocksOf(tx, sourceIds);
  if (neighbours.length > 0) await indexSources(tx, item, neighbours, signal);
}

async function writeBlock(tx: Tx, item: ItemKey, built: BuiltBlock): Promise<void> {
  const numbers = await newChunkNumbers(tx, built.chunks.length);
  const blockId = await addBlock(tx, item, {
    chunkCount: built.chunks.length,
    wordCount: built.chunks.reduce((sum, { length }) => sum + length, 0),
    languages: [...new Set(Object.values(built.languages))],
  });
  await addChunks(
    tx,
    built.chunks.map(({ length: _, ...chunk }, place) => ({
      ...chunk,
      organizationId: item.organizationId,
      agentId: item.agentId,
      blockId,
      id: newId('chunk'),
      number: numbers[place] ?? 0,
    })),
  );
  await addPostings(tx, item, blockId, pack(built, numbers));
}

function pack(built: BuiltBlock, numbers: number[]): PackedPostings {
  const words: number[] = [];
  for (let at = 0; at < built.postings.length; at += 2) {
    const place = built.postings[at] ?? 0;
    appendPosting(words, numbers[place] ?? 0, built.postings[at + 1] ?? 0, built.chunks[place]?.length ?? 0);
  }
  return {
    terms: built.terms,
    sizes: Array.from(built.counts, (count) => count * BYTES_A_POSTING),
    entries: Buffer.from(Uint32Array.from(words).buffer),
  };
}
