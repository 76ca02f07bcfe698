import { isGram, type TermCounts } from '../analyze/analyze.ts';
import type { Weights } from './ranking.ts';

/**
 * RM3 (Abdul-Jaleel et al., 2004). As usual, half the weight goes to the added words; the other numbers were tuned on
 * public collections in English, German and Chinese (`bench/retrieval`).
 */
export const FEEDBACK_PASSAGES = 10;
const FEEDBACK_TERMS = 60;
const FEEDBACK_SHARE = 0.5;
/** Less than this moves good passages about as often as bad ones, and isn't worth a second index lookup. */
const LEAST_SHARE = 0.06;
/** How much more a better passage contributes: its score to this power. */
const SHARPNESS = 6;

export interface FeedbackPassage {
  score: number;
  counts: TermCounts;
  length: number;
}

/**
 * The query as its best passages would phrase it: words they share are added, weighted as there, which finds passages
 * that use other words than the question. Less is added the more of the question is covered by its own words
 * (`coverage`) and the more one passage stands out. Undefined if it would be too little.
 */
export function expand(query: Weights, passages: FeedbackPassage[], coverage: number): Weights | undefined {
  if (passages.length === 0) return undefined;
  const trust = shares(new Map(passages.map((passage) => [passage, passage.score ** SHARPNESS])));
  const concentration = trust.values().reduce((sum, share) => sum + share ** 2, 0);
  const feedback = FEEDBACK_SHARE * (1 - coverage) ** 2 * (1 - concentration);
  if (feedback < LEAST_SHARE) return undefined;
  const model = new Map<string, number>();
  for (const [{ counts, length }, share] of trust) {
    for (const [term, frequency] of counts) {
      if (!isGram(term)) model.set(term, (model.get(term) ?? 0) + (share * frequency) / length);
    }
  }
  const added = shares(new Map([...model].toSorted((a, b) => b[1] - a[1]).slice(0, FEEDBACK_TERMS)));
  return mixed(shares(query), added, feedback);
}

function mixed(query: Weights, added: Weights, share: number): Weights {
  const weights = new Map([...query].map(([term, weight]) => [term, (1 - share) * weight]));
  for (const [term, weight] of added) weights.set(term, (weights.get(term) ?? 0) + share * weight);
  return weights;
}

function shares<K>(weights: ReadonlyMap<K, number>): Map<K, number> {
  const total = weights.values().reduce((sum, weight) => sum + weight, 0);
  return new Map(weights.entries().map(([key, weight]) => [key, weight / total]));
}
