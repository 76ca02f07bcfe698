import { addTerms, isGram, isStopWord, type TermCounts } from '../analyze/analyze.ts';
import { mostlyIn } from '../analyze/guess.ts';
import { wordsIn } from '../analyze/words-in.ts';

/** A question in the form the index is queried with. */
export interface Query {
  /** The question's words, each with the terms it may stand for. */
  words: TermCounts[];
  /** The terms of the question itself, or of the previous one if it says nothing; by word, and all. */
  ownWords: TermCounts[];
  own: TermCounts;
  /** Including the earlier question's, if the question alone says little. */
  terms: TermCounts;
}

/** The weight of the earlier question, for a question of at most this many distinctive words. */
const historyWeights: [words: number, weight: number][] = [
  [2, 0.5],
  [4, 0.25],
];

/** The weight of the earlier question, for a question of this many distinctive words. */
export const historyWeightOf = (words: number): number =>
  historyWeights.find(([most]) => words <= most)?.[1] ?? 0;

/**
 * `history`: the same person's earlier questions, newest first. "And what does it cost?" is about the previous
 * question's subject; a question that names its own subject needs no help.
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

/** From the newest one that says something. */
function firstWordsOf(history: string[], languages: string[][]): TermCounts[] {
  for (const text of history) {
    const words = wordsOf(text, languages);
    if (words.length > 0) return words;
  }
  return [];
}

/**
 * The question's words, each with the terms it may stand for: by the rules of every language of the agent's sources,
 * since a short question's own language is uncertain. A stop word in one of these languages is left out, and so is
 * whatever isn't a term in any, such as a key of a hundred letters.
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
 * Languages other than the question's that fill whole blocks, besides the blocks in its own: parts of its words would
 * match names all over their texts before finding the answer. A language that only occurs among texts of the question's
 * language is mostly a text of that language that was misidentified.
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
