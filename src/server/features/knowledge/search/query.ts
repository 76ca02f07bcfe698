import { addTerms, isGram, isStopWord, type TermCounts } from '../analyze/analyze.ts';
import { mostlyIn } from '../analyze/guess.ts';
import { wordsIn } from '../analyze/words-in.ts';

/** A question as the index is asked it. */
export interface Query {
  /** The question's words, each as the terms that it may stand as. */
  words: TermCounts[];
  /** The terms of the question itself, or of the one before when it says nothing; by word, and all. */
  ownWords: TermCounts[];
  own: TermCounts;
  /** With what was asked before, where the question alone says little. */
  terms: TermCounts;
}

/** What was asked before counts this much beside a question of at most so many telling words. */
const historyWeights: [words: number, weight: number][] = [
  [2, 0.5],
  [4, 0.25],
];

/** How much what was asked before counts beside a question of so many telling words. */
export const historyWeightOf = (words: number): number =>
  historyWeights.find(([most]) => words <= most)?.[1] ?? 0;

/**
 * `history`: what the same person asked before, newest first. "And what does it cost?" is a question about what the one
 * before was about; a question that says what it is about needs no help.
 */
export function queryOf(question: string, history: string[], languages: string[][]): Query {
  const words = wordsOf(question, languages);
  const own = merged(words);
  const weight = historyWeightOf(words.length);
  const terms: TermCounts = new Map(own);
  const before = weight === 0 ? [] : firstWordsOf(history, languages);
  for (const [term, count] of merged(before)) if (!terms.has(term)) terms.set(term, weight * count);
  const ownWords = words.length > 0 ? words : before;
  return { words, ownWords, own: words.length > 0 ? own : terms, terms };
}

/** Of the newest that says something. */
function firstWordsOf(history: string[], languages: string[][]): TermCounts[] {
  for (const text of history) {
    const words = wordsOf(text, languages);
    if (words.length > 0) return words;
  }
  return [];
}

/**
 * The question's words, each as the terms it may stand as: by the rules of every language that the agent's sources are
 * in, since a short question's own can't be told for sure. A word that one of these languages has for a stop word is
 * left out, and so is what is no term in any, as a key of a hundred letters.
 */
function wordsOf(question: string, languageSets: string[][]): TermCounts[] {
  const languages = [...new Set(languageSets.flat())];
  const telling = [...wordsIn(question)].filter(
    (word) => !languages.some((language) => isStopWord(word, language)),
  );
  const strangers = strangersTo(question, languageSets);
  return telling.flatMap((word) => {
    const terms: TermCounts = new Map();
    for (const language of languages) {
      const counts: TermCounts = new Map();
      addTerms(counts, word, language);
      for (const [term, count] of counts)
        if (!isGram(term) || !strangers.has(language)) terms.set(term, Math.max(count, terms.get(term) ?? 0));
    }
    return terms.size > 0 ? [terms] : [];
  });
}

/**
 * Languages that the question is not in, and that fill whole blocks beside those of its own: parts of its words would find
 * names in all of their texts before the answer. One that only turns up among texts of the question's language is mostly a
 * text of that language that was taken for another.
 */
function strangersTo(question: string, languageSets: string[][]): Set<string> {
  if (languageSets.length < 2) return new Set();
  const spoken = mostlyIn(question);
  if (spoken === undefined || !languageSets.some((languages) => languages.includes(spoken))) return new Set();
  return new Set(languageSets.filter((languages) => !languages.includes(spoken)).flat());
}

function merged(words: TermCounts[]): TermCounts {
  const terms: TermCounts = new Map();
  for (const [term, count] of words.flatMap((word) => [...word]))
    terms.set(term, (terms.get(term) ?? 0) + count);
  return terms;
}
