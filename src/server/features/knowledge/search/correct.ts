import { isGram } from '../analyze/analyze.ts';
import type { IndexReader } from './index-reader.ts';
import type { Postings } from '../index/postings.ts';
import type { Query } from './query.ts';
import { forgivenLetters, mayBeMisspelt, mostSimilar, RIGHT_LETTERS } from './similar.ts';

/** A presumed correction counts less than the original word. */
const CORRECTION_WEIGHT = 0.5;

/**
 * For each word of the question that occurs in no passage in any form, adds the most likely correction, to the query and
 * to what the word may stand for.
 */
export async function correct(
  reader: IndexReader,
  { words, terms: query }: Query,
  postings: Map<string, Postings>,
): Promise<void> {
  const unknown = words.filter((terms) => !terms.keys().some((term) => !isGram(term) && postings.has(term)));
  const meant = new Map<string, number>();
  for (const terms of unknown) {
    const [term = '', count = 0] = [...terms][0] ?? [];
    if (!mayBeMisspelt(term)) continue;
    const forgiven = forgivenLetters(term);
    const known = await reader.termsLike(term.slice(0, RIGHT_LETTERS), [
      term.length - forgiven,
      term.length + forgiven,
    ]);
    const similar = mostSimilar(term, known);
    if (!similar) continue;
    terms.set(similar, CORRECTION_WEIGHT);
    if (!query.has(similar)) meant.set(similar, CORRECTION_WEIGHT * count);
  }
  for (const [term, weight] of meant) query.set(term, weight);
  for (const [term, list] of await reader.postings([...meant.keys()])) postings.set(term, list);
}
