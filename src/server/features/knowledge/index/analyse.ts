import { createHash } from 'node:crypto';
import type { Tx } from '../../../db/scope.ts';
import type { BuiltBlock, CutBlock, SourceText } from './block.ts';
import { INDEX_MEMORY_MIB, INDEX_TIMEOUT_MS } from '../limits.ts';
import { Shelf } from './shelf.ts';
import { runInProcess } from '../worker/run.ts';

/** Builds a block from sources; undefined: it doesn't exist yet, and the transaction's work will be rolled back. */
export type Analyse = (texts: SourceText[]) => Promise<BuiltBlock | undefined>;

/** What is needed can change as other data changes: then it is determined again, up to a limit. */
const REHEARSALS_MAX = 3;

class Rehearsed extends Error {}

/**
 * Up to this length analysis takes at most 8 ms, whatever the text; starting a process takes a quarter of a second of
 * CPU time.
 */
const SHORT_MAX_CHARACTERS = 4000;

/**
 * In a child process, which is kept for a while if the texts are short. Throws `WorkerError` when it takes too much
 * time or memory.
 */
export function analyseNow(signal?: AbortSignal): (texts: SourceText[]) => Promise<BuiltBlock> {
  return async (texts) => {
    const limits = limitsOf(texts, signal);
    return runInProcess(new URL('block.process.ts', import.meta.url), { texts }, limits);
  };
}

/** The same for already split passages: an agent with hundreds of pairs is imported in seconds. */
export async function analyseCut(block: CutBlock, signal?: AbortSignal): Promise<BuiltBlock> {
  const limits = limitsOf(block.passages, signal);
  return runInProcess(new URL('restore-block.process.ts', import.meta.url), block, limits);
}

function limitsOf(texts: { title: string; text: string }[], signal: AbortSignal | undefined) {
  const characters = texts.reduce((sum, { title, text }) => sum + title.length + text.length, 0);
  const reuse = characters <= SHORT_MAX_CHARACTERS;
  return { timeoutMs: INDEX_TIMEOUT_MS, memoryMib: INDEX_MEMORY_MIB, signal, reuse };
}

/**
 * Does `work` in a transaction of `inTransaction`, and analyzes the blocks it asks for outside of one, however many
 * they are: an item is locked only for as long as writing takes, and changing it never waits for analysis, which takes
 * seconds on a busy machine. What `work` needs is determined by running it and rolling back, so a block is used only if
 * its texts are still the same afterwards. Only blocks that change every time are analyzed inside the transaction.
 */
export async function withBlocks<T>(
  inTransaction: (work: (tx: Tx) => Promise<T>) => Promise<T>,
  work: (tx: Tx, analyse: Analyse) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const now = analyseNow(signal);
  const made = new Shelf<BuiltBlock>();
  const wanted = new Shelf<SourceText[]>();
  try {
    for (let rehearsals = 0; ; rehearsals += 1) {
      const analyse: Analyse = async (texts) => {
        const name = nameOf(texts);
        if (!made.names.has(name) && rehearsals < REHEARSALS_MAX) await wanted.put(name, texts);
        return wanted.names.size > 0 ? undefined : ((await made.get(name)) ?? now(texts));
      };
      try {
        return await inTransaction(async (tx) => {
          const result = await work(tx, analyse);
          if (wanted.names.size > 0) throw new Rehearsed();
          return result;
        });
      } catch (error) {
        if (!(error instanceof Rehearsed)) throw error;
      }
      for (const name of wanted.names) await made.put(name, await now((await wanted.get(name)) ?? []));
      await wanted.clear();
    }
  } finally {
    await wanted.clear();
    await made.clear();
  }
}

function nameOf(texts: SourceText[]): string {
  const hash = createHash('sha256');
  for (const { id, title, text } of texts) hash.update(JSON.stringify([id, title, text]));
  return hash.digest('base64url');
}
