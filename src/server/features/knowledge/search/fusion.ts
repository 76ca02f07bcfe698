import type { Scores } from './ranking.ts';

/** Cosine similarities, by chunk, for the vectors that were compared. */
export type Similarities = ReadonlyMap<number, number>;

/**
 * Words and vectors as one score, 0 to 1: both are scaled to the same range and added by weight. A passage that matches
 * none of the question's words gets its vector's part, and one that isn't among the most similar gets its words' part.
 * Reciprocal ranks aren't used: they discard how much better one passage is, and let a weak model ruin the order.
 */
export function fuse(words: Scores, similarities: Similarities, weight: number): Scores {
  const most = words.values().reduce((most, score) => Math.max(most, score), 0);
  const known = [...similarities.values()];
  const [least, greatest] = [Math.min(...known), Math.max(...known)];
  const range = greatest - least;
  const fused: Scores = new Map();
  for (const [chunk, score] of words) fused.set(chunk, ((1 - weight) * score) / most);
  for (const [chunk, similarity] of similarities) {
    const share = range > 0 ? (similarity - least) / range : 1;
    fused.set(chunk, (fused.get(chunk) ?? 0) + weight * share);
  }
  return fused;
}
