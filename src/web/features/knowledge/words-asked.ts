import type { Retrieval } from '../../../contract/knowledge.ts';
import { highlight } from './highlight.ts';

/**
 * The words of a question, each with the highest passage count among its forms: the index has one form of a word per
 * language of the agent's knowledge, and in the other languages it occurs in none.
 */
export function wordsAsked(terms: Retrieval['terms'], question: string): Map<string, number> {
  const words = new Map<string, number>();
  for (const { term, passages } of terms) {
    const word = wordOf(term, question);
    words.set(word, Math.max(passages, words.get(word) ?? 0));
  }
  return words;
}

/** The index stores words without their endings: this returns them as written. */
function wordOf(term: string, question: string): string {
  return highlight(question, [term]).find(({ isMatch }) => isMatch)?.text ?? term;
}
