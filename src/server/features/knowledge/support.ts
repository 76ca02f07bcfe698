import { isGram, type TermCounts } from './analyze/analyze.ts';
import { isDense } from './analyze/density.ts';
import type { Postings } from './postings.ts';
import { idf } from './ranking.ts';

/** The best passages speak for all of them. */
const PASSAGES = 3;
/** A part of a word says less than the word, here as in the ranking. */
const GRAM_WEIGHT = 0.5;
/** Where words are not written apart, most pairs of characters that no passage holds lie between two words. */
const UNKNOWN_PAIR_WEIGHT = 0.5;
/** Among few passages every word is in most or in none; rareness is judged as if there were at least as many. */
const LEAST_CHUNKS = 200;

/** The terms that a question is judged by: how much each weighs, and which passages hold it. */
export interface Judgement {
  query: TermCounts;
  postings: ReadonlyMap<string, Postings>;
  /** Of the whole index. */
  chunks: number;
  /** The terms of the passages, best first. */
  held: TermCounts[];
}

/**
 * The share of the question that one of the best passages speaks to, rare words counting more, and words that no passage
 * holds counting most: 1 when it speaks of all of it, 0 when none speaks of anything. One passage, because an answer is
 * seldom put together from the words of several; over it questions that have an answer and such that have none were told
 * apart better than by the best passages together (`bench/answer`).
 */
export function supportOf({ query, postings, chunks, held }: Judgement): number {
  const many = Math.max(chunks, LEAST_CHUNKS);
  const shares = held.slice(0, PASSAGES).map((counts) =>
    shareOf(query, (term) => {
      const isHeld = counts.has(term);
      const weight = idf(many, postings.get(term)?.count ?? 0) * (isGram(term) ? GRAM_WEIGHT : 1);
      return { isHeld, weight: !isHeld && isDense(term) ? weight * UNKNOWN_PAIR_WEIGHT : weight };
    }),
  );
  return Math.max(0, ...shares);
}

/** The share of the question's whole words that the best passages hold together. */
export function coverageOf({ query, postings, chunks, held }: Judgement): number {
  const best = held.slice(0, PASSAGES);
  return shareOf(query, (term) => ({
    isHeld: best.some((counts) => counts.has(term)),
    weight: isGram(term) ? 0 : idf(chunks, postings.get(term)?.count ?? 0),
  }));
}

/** How nearly two texts ask the same: what both hold of all that one of them holds, rare words counting more. */
export function likenessOf(
  query: TermCounts,
  other: TermCounts,
  { postings, chunks }: Pick<Judgement, 'postings' | 'chunks'>,
): number {
  const all: TermCounts = new Map([...query, ...other]);
  return shareOf(all, (term) => ({
    isHeld: query.has(term) && other.has(term),
    weight: isGram(term) ? 0 : idf(chunks, postings.get(term)?.count ?? 0),
  }));
}

function shareOf(terms: TermCounts, judge: (term: string) => { isHeld: boolean; weight: number }): number {
  let total = 0;
  let held = 0;
  for (const term of terms.keys()) {
    const { isHeld, weight } = judge(term);
    total += weight;
    if (isHeld) held += weight;
  }
  return total === 0 ? 0 : held / total;
}
