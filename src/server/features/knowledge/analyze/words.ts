import { addTerms, isGram, type TermCounts } from './analyze.ts';
import { wordsIn } from './words-in.ts';

/** The words of a text that say something, as they are written, each with the term that it is. */
export function wordsWithTerms(text: string, language: string): { word: string; term: string }[] {
  return [...wordsIn(text)].flatMap((word) => {
    const terms: TermCounts = new Map();
    addTerms(terms, word, language);
    return [...terms.keys()].filter((term) => !isGram(term)).map((term) => ({ word, term }));
  });
}
