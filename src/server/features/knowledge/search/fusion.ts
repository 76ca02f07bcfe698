import type { Scores } from './ranking.ts';

/** Of the numbers that were compared, by chunk: cosine similarities. */
export type Similarities = ReadonlyMap<number, number>;

/**
 * Words and vectors as one score, 0 to 1: both are brought to the same range and added by weight. A passage that no word
 * of the question speaks for has what its vector gives it, and one that is not among the most similar what its words
 * give it. Reciprocal ranks are not used: they forget by how much one passage is better, and a weak model ruins the order.
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
