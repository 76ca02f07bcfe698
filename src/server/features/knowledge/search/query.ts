import { addTerms, isGram, isStopWord, type TermCounts } from '../analyze/analyze.ts';
import { mostlyIn } from '../analyze/guess.ts';
import { withoutAsking } from '../analyze/without-asking.ts';
import { joinedIn, wordsIn } from '../analyze/words-in.ts';

/** A question in the form the index is queried with. */
export interface Query {
  /** The question's words, each with the terms it may stand for. */
  words: TermCounts[];
  /** The words of the question itself, or of the previous one if it says nothing, without those that only ask. */
  ownWords: TermCounts[];
  /** Their terms. */
  subject: TermCounts;
  /** The same with the words that only ask, which count less. */
  own: TermCounts;
  /** Including the earlier question's, if the question alone says little. */
  terms: TermCounts;
  /** Those of them that only hint at what is meant: of words that only ask, and words joined without their hyphen. */
  hints: ReadonlySet<string>;
  /** Neither it nor an earlier question has words that tell what it is about. */
  isVague: boolean;
}

/** The weight of the earlier question, for a question of at most this many distinctive words. */
const historyWeights: [words: number, weight: number][] = [
  [2, 0.5],
  [4, 0.25],
];

/** The weight of the earlier question, for a question of this many distinctive words. */
export const historyWeightOf = (words: number): number =>
  historyWeights.find(([most]) => words <= most)?.[1] ?? 0;

/** Words such as "please" and "possible" hint at what is meant in a long question only. */
const ASKING_WEIGHT = 0.5;
/**
 * In a question, both words around a hyphen may also stand for the one they are without it. Little, because a passage that
 * has the hyphen too contains both.
 */
const JOINED_WEIGHT = 0.1;

/**
 * `history`: the same person's earlier questions, newest first. "And what does it cost?" is about the previous
 * question's subject; a question that names its own subject needs no help.
 */
export function queryOf(question: string, history: string[], languages: string[][]): Query {
  const { telling, everything } = wordsOf(question, languages);
  const weight = historyWeightOf(telling.length);
  const before = weight === 0 ? [] : firstWordsOf(history, languages);
  const isVague = telling.length === 0 && before.length === 0;
  const words = isVague ? everything : telling;
  const own = merged(words);
  for (const term of merged(everything).keys()) if (!own.has(term)) own.set(term, ASKING_WEIGHT);
  const terms: TermCounts = new Map(own);
  for (const [term, count] of merged(before)) if (!terms.has(term)) terms.set(term, weight * count);
  const ownWords = words.length > 0 ? words : before;
  return {
    words,
    ownWords,
    subject: merged(ownWords),
    own: words.length > 0 ? own : terms,
    terms,
    hints: new Set([...own.keys()].filter((term) => (own.get(term) ?? 0) < 1)),
    isVague,
  };
}

/** From the newest one that says something. */
function firstWordsOf(history: string[], languages: string[][]): TermCounts[] {
  for (const text of history) {
    const { telling } = wordsOf(text, languages);
    if (telling.length > 0) return telling;
  }
  return [];
}

/**
 * The question's words, each with the terms it may stand for: by the rules of every language of the agent's sources,
 * since a short question's own language is uncertain. A stop word in one of these languages is left out, and so is
 * whatever isn't a term in any, such as a key of a hundred letters. `telling`: without the words that only ask.
 */
function wordsOf(question: string, languageSets: string[][]): Record<'telling' | 'everything', TermCounts[]> {
  const languages = [...new Set(languageSets.flat())];
  const spoken = mostlyIn(question);
  const strangers = strangersTo(spoken, languageSets);
  const stripped = withoutAsking(question, [...languages, spoken ?? '']);
  const everything = termsOfWords(question, languages, strangers);
  const telling = stripped === question ? everything : termsOfWords(stripped, languages, strangers);
  return { telling, everything };
}

function termsOfWords(text: string, languages: string[], strangers: Set<string>): TermCounts[] {
  const words = wordsIn(text).filter((word) => !languages.some((language) => isStopWord(word, language)));
  const joined = joinedIn(text);
  return words.flatMap((word) => {
    const terms = termsOf(word, languages, strangers);
    for (const pair of joined.filter(({ parts }) => parts.includes(word)))
      for (const term of termsOf(pair.joined, languages, strangers).keys())
        if (!isGram(term)) terms.set(term, JOINED_WEIGHT);
    return terms.size > 0 ? [terms] : [];
  });
}

function termsOf(word: string, languages: string[], strangers: Set<string>): TermCounts {
  const terms: TermCounts = new Map();
  for (const language of languages) {
    const counts: TermCounts = new Map();
    addTerms(counts, word, language);
    for (const [term, count] of counts)
      if (!isGram(term) || !strangers.has(language)) terms.set(term, Math.max(count, terms.get(term) ?? 0));
  }
  return terms;
}

/**
 * Languages other than the question's that fill whole blocks, besides the blocks in its own: parts of its words would
 * match names all over their texts before finding the answer. A language that only occurs among texts of the question's
 * language is mostly a text of that language that was misidentified.
 */
function strangersTo(spoken: string | undefined, languageSets: string[][]): Set<string> {
  if (languageSets.length < 2) return new Set();
  if (spoken === undefined || !languageSets.some((languages) => languages.includes(spoken))) return new Set();
  return new Set(languageSets.filter((languages) => !languages.includes(spoken)).flat());
}

function merged(words: TermCounts[]): TermCounts {
  const terms: TermCounts = new Map();
  for (const [term, count] of words.flatMap((word) => [...word]))
    terms.set(term, (terms.get(term) ?? 0) + count);
  return terms;
}
