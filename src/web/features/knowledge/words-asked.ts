import type { Retrieval } from '../../../contract/knowledge.ts';
import { highlight } from './highlight.ts';

/**
 * The words of a question, each with the most passages that one of its forms is in: the index knows a word in one form for each
 * language of the agent's knowledge, and in the others it is in none.
 */
export function wordsAsked(terms: Retrieval['terms'], question: string): Map<string, number> {
  const words = new Map<string, number>();
  for (const { term, passages } of terms) {
    const word = wordOf(term, question);
    words.set(word, Math.max(passages, words.get(word) ?? 0));
  }
  return words;
}

/** The index knows words without their endings: here they stand as they were written. */
function wordOf(term: string, question: string): string {
  return highlight(question, [term]).find(({ isMatch }) => isMatch)?.text ?? term;
}
