import { isGram } from '../analyze/analyze.ts';
import type { Postings } from '../index/postings.ts';

/** BM25 as given by Robertson and Zaragoza; the two parameters are the usual ones for passages. */
const K1 = 1.5;
const B = 0.75;
/** A part of a word says less than the word; for German, half was best out of 0.25 to 1.5. */
const GRAM_WEIGHT = 0.5;

/** What the ranking knows about an agent's whole index. Exact: counted, never estimated. */
export interface IndexStatistics {
  chunks: number;
  words: number;
  /** The languages that occur, grouped by block. */
  languageSets: string[][];
}

export type Weights = ReadonlyMap<string, number>;
export type Scores = Map<number, number>;

/** How rare a term is: high if few passages contain it, always above zero. */
export function idf(chunks: number, holding: number): number {
  return Math.log(1 + (chunks - holding + 0.5) / (holding + 0.5));
}

/** The weighted BM25 score of every chunk that contains at least one of the terms. */
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

/** The best match of the question alone is worth this share of the best match with the earlier question; by `bench/follow-up`. */
const ALONE_SHARE = 0.85;

/**
 * A short question may continue the previous one or be about something else: it is searched both ways, and a chunk gets
 * the better score, as a share of the best one of that search.
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

/** The best of them, best first; ties go to the one indexed first, so that the order is deterministic. */
export function best(scores: Scores, count: number): [chunk: number, score: number][] {
  let kept: [chunk: number, score: number][] = [];
  let least = 0;
  for (const [chunk, score] of scores) {
    if (score < least) continue;
    kept.push([chunk, score]);
    // Sorting a few at a time, and only those that can still be among the best, is faster than sorting all.
    if (kept.length < count * 4) continue;
    kept = kept.toSorted(byScore).slice(0, count);
    least = kept.at(-1)?.[1] ?? 0;
  }
  return kept.toSorted(byScore).slice(0, count);
}

function byScore(a: [chunk: number, score: number], b: [chunk: number, score: number]): number {
  return b[1] - a[1] || a[0] - b[0];
}
