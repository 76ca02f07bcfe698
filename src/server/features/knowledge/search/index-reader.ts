import { runIn, type Database, type Run, type Tx } from '../../../db/scope.ts';
import {
  readChunks,
  readLanguages,
  readPostings,
  readStatistics,
  readTermsLike,
  statisticsOf,
  type ChunkRow,
  type LanguageRow,
  type StatisticsRow,
} from '../index/index-store.ts';
import type { CachedIndex } from './index-cache.ts';
import type { AgentKey } from '../keys.ts';
import type { Postings } from '../index/postings.ts';
import type { IndexStatistics } from './ranking.ts';
import { readSimilar, type Among, type Asked } from '../vectors/vector-store.ts';

/** What a search reads from an agent's index. */
export interface IndexReader {
  statistics: () => Promise<IndexStatistics>;
  /** No entry for a term that occurs in no passage. */
  postings: (terms: string[]) => Promise<Map<string, Postings>>;
  termsLike: (
    beginning: string,
    lengths: [least: number, most: number],
  ) => Promise<{ term: string; holding: number }[]>;
  /** In no particular order. */
  chunks: (numbers: number[]) => Promise<ChunkRow[]>;
  similar: (asked: Asked, among: Among) => Promise<Map<number, number>>;
  /** Of most passages first. */
  languages: () => Promise<LanguageRow[]>;
}

/** Reads inside a transaction. */
export function readerIn(tx: Tx, key: AgentKey): IndexReader {
  const run = runIn(tx);
  return {
    statistics: () => readStatistics(run, key),
    postings: (terms) => readPostings(run, key, terms),
    termsLike: (beginning, lengths) => readTermsLike(run, key, beginning, lengths),
    chunks: (numbers) => readChunks(run, key, numbers),
    similar: (asked, among) => readSimilar(tx, key, asked, among),
    languages: () => readLanguages(run, key),
  };
}

/**
 * Reads whatever isn't cached by single statements. `statistics` must be current: their version tells whether the cache
 * still matches the index.
 */
export function readerWith(
  db: Database,
  key: AgentKey,
  statistics: StatisticsRow,
  cached: CachedIndex,
): IndexReader {
  const run: Run = (statement) => db.once({ organizationId: key.organizationId }, statement);
  return {
    statistics: async () => statisticsOf(statistics),
    postings: (terms) => cached.postings(terms, (missing) => readPostings(run, key, missing)),
    termsLike: (beginning, lengths) => readTermsLike(run, key, beginning, lengths),
    chunks: (numbers) => cached.chunks(numbers, (missing) => readChunks(run, key, missing)),
    similar: (asked, among) =>
      db.in({ organizationId: key.organizationId }, (tx) => readSimilar(tx, key, asked, among)),
    languages: () => cached.languages(() => readLanguages(run, key)),
  };
}
