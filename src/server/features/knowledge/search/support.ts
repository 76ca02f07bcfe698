import { isGram, type TermCounts } from '../analyze/analyze.ts';
import { isDense } from '../analyze/density.ts';
import type { Postings } from '../index/postings.ts';
import { idf } from './ranking.ts';

/** The best passages speak for all of them. */
const PASSAGES = 3;
/** A word that a passage holds only in part, as a compound or in another form, says less than one that it holds. */
const PART_WEIGHT = 0.8;
/** Where words are not written apart, a single character says less than a pair, here as in the ranking. */
const CHARACTER_WEIGHT = 0.5;
/** There most pairs of characters that no passage holds lie between two words. */
const UNKNOWN_PAIR_WEIGHT = 0.5;
/** Among few passages every word is in most or in none; rareness is judged as if there were at least as many. */
const LEAST_CHUNKS = 200;

/** What a question is judged by. */
export interface Judgement {
  /** The words of the question, each as the terms that it may stand as. */
  words: TermCounts[];
  /** All their terms. */
  query: TermCounts;
  postings: ReadonlyMap<string, Postings>;
  /** Of the whole index. */
  chunks: number;
  /** The terms of the passages, best first. */
  held: TermCounts[];
}

interface Judged {
  /** 0 to 1. */
  held: number;
  weight: number;
}

/**
 * The share of the question that one of the best passages speaks to, rare words counting more, and words that no passage
 * holds counting most: 1 when it speaks of all of it, 0 when none speaks of anything. One passage, because an answer is
 * seldom put together from the words of several; over it questions that have an answer and such that have none were told
 * apart better than by the best passages together (`bench/answer`).
 */
export function supportOf({ words, postings, chunks, held }: Judgement): number {
  const many = Math.max(chunks, LEAST_CHUNKS);
  const rareness = (term: string): number => idf(many, postings.get(term)?.count ?? 0);
  const shares = held.slice(0, PASSAGES).map((counts) =>
    shareOf(
      words.flatMap((terms) => {
        const all = [...terms.keys()];
        return all.some(isDense) ? charactersIn(all, counts, rareness) : [wordIn(all, counts, rareness)];
      }),
    ),
  );
  return Math.max(0, ...shares);
}

/**
 * A word is held in whichever of its forms: it has one for each language that the agent's sources are in, and only one of
 * them is right.
 */
function wordIn(terms: string[], counts: TermCounts, rareness: (term: string) => number): Judged {
  const whole = terms.filter((term) => !isGram(term));
  const weight = Math.min(...whole.map(rareness));
  if (whole.some((term) => counts.has(term))) return { held: 1, weight };
  const parts = terms
    .filter(isGram)
    .map((term) => ({ held: counts.has(term) ? 1 : 0, weight: rareness(term) }));
  return { held: shareOf(parts) * PART_WEIGHT, weight };
}

/** Of what is not written in words each pair of characters is judged by itself. */
function charactersIn(terms: string[], counts: TermCounts, rareness: (term: string) => number): Judged[] {
  return terms.map((term) => {
    const held = counts.has(term) ? 1 : 0;
    const weight = rareness(term) * (isGram(term) ? CHARACTER_WEIGHT : 1);
    return { held, weight: held === 0 && isDense(term) ? weight * UNKNOWN_PAIR_WEIGHT : weight };
  });
}

/** The share of the question's whole words that the best passages hold together. */
export function coverageOf({ query, postings, chunks, held }: Judgement): number {
  const best = held.slice(0, PASSAGES);
  const isHeld = (term: string): boolean => best.some((counts) => counts.has(term));
  return shareOfTerms(query, { postings, chunks }, isHeld);
}

/** How nearly two texts ask the same: what both hold of all that one of them holds, rare words counting more. */
export function likenessOf(
  query: TermCounts,
  other: TermCounts,
  index: Pick<Judgement, 'postings' | 'chunks'>,
): number {
  const all: TermCounts = new Map([...query, ...other]);
  return shareOfTerms(all, index, (term) => query.has(term) && other.has(term));
}

function shareOfTerms(
  terms: TermCounts,
  { postings, chunks }: Pick<Judgement, 'postings' | 'chunks'>,
  isHeld: (term: string) => boolean,
): number {
  const whole = [...terms.keys()].filter((term) => !isGram(term));
  return shareOf(
    whole.map((term) => ({
      held: isHeld(term) ? 1 : 0,
      weight: idf(chunks, postings.get(term)?.count ?? 0),
    })),
  );
}

function shareOf(judged: Judged[]): number {
  const total = judged.reduce((sum, { weight }) => sum + weight, 0);
  return total === 0 ? 0 : judged.reduce((sum, { held, weight }) => sum + held * weight, 0) / total;
}
