import { addTerms, isGram, type TermCounts } from './analyze.ts';
import { visible } from './visible.ts';

const words = /[\p{L}\p{M}\p{N}]+/gu;

/** The words of a text that say something, as they are written, each with the term that it is. */
export function wordsWithTerms(text: string, language: string): { word: string; term: string }[] {
  return (visible(text).match(words) ?? []).flatMap((word) => {
    const terms: TermCounts = new Map();
    addTerms(terms, word, language);
    return [...terms.keys()].filter((term) => !isGram(term)).map((term) => ({ word, term }));
  });
}
