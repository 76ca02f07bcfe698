import type { Passage } from '../search.ts';

const LETTERS_A_TOKEN = 4;
const DENSE_CHARACTERS_A_TOKEN = 1.5;
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu;

/** Approximately how many tokens a text is to a model; close enough to fill a context, too rough for billing. */
export function estimateTokens(text: string): number {
  const denseCharacters = text.match(dense)?.length ?? 0;
  return Math.ceil(
    (text.length - denseCharacters) / LETTERS_A_TOKEN + denseCharacters / DENSE_CHARACTERS_A_TOKEN,
  );
}

/**
 * As many of the passages as fit, best first; always including the best one. Overlapping passages of one source are
 * joined, so that nothing is read twice; the result has the name and score of its best part and the position of its
 * first.
 */
export function fillContext(passages: Passage[], maxTokens: number): Passage[] {
  let chosen: Passage[] = [];
  for (const passage of passages) {
    const next = withPassage(chosen, passage);
    const tokens = next.reduce((sum, { text }) => sum + estimateTokens(text), 0);
    if (tokens <= maxTokens || chosen.length === 0) chosen = next;
  }
  return chosen;
}

function withPassage(chosen: Passage[], passage: Passage): Passage[] {
  const at = chosen.findIndex((other) => doMeet(other, passage));
  const neighbour = chosen[at];
  if (!neighbour) return [...chosen, passage];
  // The joined passage may now touch another one on its far side.
  const joined = join(neighbour, passage);
  const rest = chosen.filter((_, index) => index !== at);
  return withPassage(rest, joined).toSorted((a, b) => b.score - a.score);
}

function doMeet(a: Passage, b: Passage): boolean {
  const [first, second] = inOrder(a, b);
  return a.sourceId === b.sourceId && second.offset <= first.offset + first.text.length;
}

function join(a: Passage, b: Passage): Passage {
  const [first, second] = inOrder(a, b);
  const better = a.score >= b.score ? a : b;
  const further = second.text.slice(first.offset + first.text.length - second.offset);
  return { ...better, offset: first.offset, page: first.page, text: first.text + further };
}

function inOrder(a: Passage, b: Passage): [first: Passage, second: Passage] {
  return a.offset <= b.offset ? [a, b] : [b, a];
}
