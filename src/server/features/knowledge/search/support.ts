import { isGram, type TermCounts } from '../analyze/analyze.ts';
import { isDense } from '../analyze/density.ts';
import type { Postings } from '../index/postings.ts';
import { idf } from './ranking.ts';

/** The best passages represent all of them. */
const PASSAGES = 3;
/** A word that a passage contains only in part, as in a compound or another form, counts less than a full match. */
const PART_WEIGHT = 0.8;
/** In scripts without word boundaries, a single character says less than a pair, here as in the ranking. */
const CHARACTER_WEIGHT = 0.5;
/** There, most pairs of characters that occur in no passage span two words. */
const UNKNOWN_PAIR_WEIGHT = 0.5;
/** Among few passages every word is in most or in none; rarity is judged as if there were at least this many. */
const LEAST_CHUNKS = 200;

/** What a question is judged by. */
export interface Judgement {
  /** The question's words, each with the terms it may stand for. */
  words: TermCounts[];
  /** All their terms. */
  query: TermCounts;
  postings: ReadonlyMap<string, Postings>;
  /** In the whole index. */
  chunks: number;
  /** The passages' terms, best passage first. */
  held: TermCounts[];
}

interface Judged {
  /** 0 to 1. */
  held: number;
  weight: number;
}

/**
 * The share of the question covered by a single one of the best passages, with rare words weighted higher, and words
 * that occur in no passage highest: 1 if it covers everything, 0 if none covers anything. A single passage, because an
 * answer is rarely assembled from the words of several; this distinguished answerable from unanswerable questions
 * better than the best passages together did (`bench/answer`).
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

/** A word is found if any of its forms is: it has one for each language of the agent's sources, and only one of them is right. */
function wordIn(terms: string[], counts: TermCounts, rareness: (term: string) => number): Judged {
  const whole = terms.filter((term) => !isGram(term));
  const weight = Math.min(...whole.map(rareness));
  if (whole.some((term) => counts.has(term))) return { held: 1, weight };
  const parts = terms
    .filter(isGram)
    .map((term) => ({ held: counts.has(term) ? 1 : 0, weight: rareness(term) }));
  return { held: shareOf(parts) * PART_WEIGHT, weight };
}

/** In scripts without word boundaries, each pair of characters is judged separately. */
function charactersIn(terms: string[], counts: TermCounts, rareness: (term: string) => number): Judged[] {
  return terms.map((term) => {
    const held = counts.has(term) ? 1 : 0;
    const weight = rareness(term) * (isGram(term) ? CHARACTER_WEIGHT : 1);
    return { held, weight: held === 0 && isDense(term) ? weight * UNKNOWN_PAIR_WEIGHT : weight };
  });
}

/** The share of the question's whole words that the best passages contain together. */
export function coverageOf({ query, postings, chunks, held }: Judgement): number {
  const best = held.slice(0, PASSAGES);
  const isHeld = (term: string): boolean => best.some((counts) => counts.has(term));
  return shareOfTerms(query, { postings, chunks }, isHeld);
}

/** How similar two questions are: their common terms out of all terms in either, with rare words weighted higher. */
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
