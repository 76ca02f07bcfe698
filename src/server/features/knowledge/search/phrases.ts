import { isStopWord } from '../analyze/analyze.ts';
import { wordsIn } from '../analyze/words-in.ts';

/** A question with more distinctive words doesn't need its phrases. */
const FEW_WORDS = 2;
/** The bonus for a passage whose headings contain all of the question's phrases: its score is multiplied by one plus this. */
const PHRASE_WEIGHT = 1;

/** The parts of a passage that are considered. */
interface Headed {
  title: string;
  headingPath: string[];
  score: number;
}

/**
 * Passages, best first, reordered in favor of those whose headings contain the question's phrases verbatim: words that
 * mean nothing by themselves then decide what is meant, as in "back up" and "bring back".
 */
export function byPhrases<P extends Headed>(phrases: string[], passages: P[]): P[] {
  if (phrases.length === 0) return passages;
  return passages
    .map((passage) => ({ ...passage, score: passage.score * gain(phrases, passage) }))
    .toSorted((a, b) => b.score - a.score);
}

/**
 * A question's pairs of neighboring words, except those of two stop words; none for a question with more than a few
 * distinctive words.
 */
export function phrasesOf(question: string, languageSets: string[][]): string[] {
  const languages = languageSets.flat();
  const words = wordsOf(question);
  const tells = words.map((word) => !languages.some((language) => isStopWord(word, language)));
  if (tells.filter(Boolean).length > FEW_WORDS) return [];
  return words.slice(1).flatMap((word, at) => (tells[at] || tells[at + 1] ? [`${words[at]} ${word}`] : []));
}

function gain(phrases: string[], { title, headingPath }: Headed): number {
  const said = ` ${wordsOf([title, ...headingPath].join('\n')).join(' ')} `;
  const share = phrases.filter((phrase) => said.includes(` ${phrase} `)).length / phrases.length;
  return 1 + PHRASE_WEIGHT * share;
}

const wordsOf = (text: string): string[] => wordsIn(text.toLowerCase());
