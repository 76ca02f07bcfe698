import { isStopWord } from '../analyze/analyze.ts';
import { wordsIn } from '../analyze/words-in.ts';

/** A question of more telling words is told apart by them. */
const FEW_WORDS = 2;
/** A passage whose headings say all of the question's phrases is worth so many times more, beside once. */
const PHRASE_WEIGHT = 1;

/** What of a passage is looked at. */
interface Headed {
  title: string;
  headingPath: string[];
  score: number;
}

/**
 * Passages in an order, best first, in which those gain whose headings say a question's phrases as they stand there: then the words that
 * tell nothing by themselves decide what is meant, as in "back up" and "bring back".
 */
export function byPhrases<P extends Headed>(phrases: string[], passages: P[]): P[] {
  if (phrases.length === 0) return passages;
  return passages
    .map((passage) => ({ ...passage, score: passage.score * gain(phrases, passage) }))
    .toSorted((a, b) => b.score - a.score);
}

/** A question's neighbouring words, but for such as both tell nothing; none of one of more than a few telling words. */
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

const wordsOf = (text: string): string[] => [...wordsIn(text.toLowerCase())];
