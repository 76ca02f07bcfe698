import { isGram } from '../analyze/analyze.ts';
import type { Postings } from '../index/postings.ts';

/** BM25 as Robertson and Zaragoza give it; the two parameters are the usual ones for passages. */
const K1 = 1.5;
const B = 0.75;
/** A part of a word says less than the word; half was best for German of 0.25 to 1.5. */
const GRAM_WEIGHT = 0.5;

/** What the ranking knows of an agent's whole index. Exact: it is counted, never estimated. */
export interface IndexStatistics {
  chunks: number;
  words: number;
  /** Which languages there are, by which of them stand together in a block. */
  languageSets: string[][];
}

export type Weights = ReadonlyMap<string, number>;
export type Scores = Map<number, number>;

/** How rare a term is: high for what few passages hold, above zero always. */
export function idf(chunks: number, holding: number): number {
  return Math.log(1 + (chunks - holding + 0.5) / (holding + 0.5));
}

/** The BM25 score of every chunk that holds at least one of the terms, each counted by its weight. */
export function score(
  weights: Weights,
  postings: ReadonlyMap<string, Postings>,
  statistics: IndexStatistics,
): Scores {
  const scores: Scores = new Map();
  const averageLength = statistics.words / Math.max(1, statistics.chunks);
  for (const [term, weight] of weights) {
    const list = postings.get(term);
    if (!list) continue;
    const gain = (isGram(term) ? GRAM_WEIGHT : 1) * weight * idf(statistics.chunks, list.count) * (K1 + 1);
    list.forEach((chunk, frequency, length) => {
      const saturation = K1 * (1 - B + (B * length) / averageLength);
      scores.set(chunk, (scores.get(chunk) ?? 0) + (gain * frequency) / (frequency + saturation));
    });
  }
  return scores;
}

/** What is found best by the question alone is worth this share of what is found best with the question before; by `bench/follow-up`. */
const ALONE_SHARE = 0.85;

/**
 * A short question may go on with the one before, or be about something else: it is looked for both ways, and a chunk counts as the
 * better way says, as a share of what is best there.
 */
export function eitherWay(together: Scores, alone: Scores | undefined): Scores {
  if (!alone) return together;
  const both = sharesOfBest(together, 1);
  for (const [chunk, share] of sharesOfBest(alone, ALONE_SHARE))
    both.set(chunk, Math.max(both.get(chunk) ?? 0, share));
  return both;
}

function sharesOfBest(scores: Scores, ofBest: number): Scores {
  const most = scores.values().reduce((most, score) => Math.max(most, score), 0);
  return new Map(scores.entries().map(([chunk, score]) => [chunk, (ofBest * score) / most]));
}

/** The best of them, best first; of equals the one that was indexed first, so that the order is always the same. */
export function best(scores: Scores, count: number): [chunk: number, score: number][] {
  let kept: [chunk: number, score: number][] = [];
  let least = 0;
  for (const [chunk, score] of scores) {
    if (score < least) continue;
    kept.push([chunk, score]);
    // Sorting a few at a time, and only what can still be among the best, is quicker than sorting all.
    if (kept.length < count * 4) continue;
    kept = kept.toSorted(byScore).slice(0, count);
    least = kept.at(-1)?.[1] ?? 0;
  }
  return kept.toSorted(byScore).slice(0, count);
}

function byScore(a: [chunk: number, score: number], b: [chunk: number, score: number]): number {
  return b[1] - a[1] || a[0] - b[0];
}
