import { addTerms, isGram, type TermCounts } from './analyze.ts';
import { wordsIn } from './words-in.ts';

/** A text's meaningful words as written, each with its term. */
export function wordsWithTerms(text: string, language: string): { word: string; term: string }[] {
  return wordsIn(text).flatMap((word) => {
    const terms: TermCounts = new Map();
    addTerms(terms, word, language);
    return [...terms.keys()].filter((term) => !isGram(term)).map((term) => ({ word, term }));
  });
}
