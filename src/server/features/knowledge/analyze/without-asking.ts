import { askingPhrases, askingWords } from './asking-words.ts';
import { withPlainLetters } from './plain-letters.ts';
import { wordPattern } from './words-in.ts';

const askingWordSets = new Map(
  Object.entries(askingWords).map(([language, list]) => [
    language,
    new Set(withPlainLetters(list).split(/\s+/)),
  ]),
);

/** A question without the words that say that something is asked, in any of these languages, but not about what. */
export function withoutAsking(question: string, languages: string[]): string {
  const sets = languages.flatMap((language) => askingWordSets.get(language) ?? []);
  const isAsking = (word: string): boolean => {
    const plain = withPlainLetters(word.toLowerCase());
    return sets.some((set) => set.has(plain));
  };
  return question
    .normalize('NFKC')
    .replace(askingPhrases, ' ')
    .replace(wordPattern, (word) => (isAsking(word) ? ' ' : word));
}
