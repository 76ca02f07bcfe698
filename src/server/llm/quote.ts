import type { ReadAlike } from './extractive.ts';
import type { PromptPassage } from './passages.ts';
import { candidatesOf, readQuestion, readSection, type Candidate } from './quote-score.ts';
import { quotedText } from './quote-text.ts';
import { sectionsOf } from './sentences.ts';

export interface Quote {
  /** The passage it is from. */
  number: number;
  text: string;
}

/** A quote must cover this share of the question's weight, otherwise the answer says that there is none. */
const LEAST_COVERAGE = 0.15;
/** A further quote must be nearly as good as the best one. */
const WORTH_ADDING = 0.75;

/** The best quotes from the passages, in passage order. Rare words count more. */
export function quoteBest(question: string, passages: PromptPassage[], readAlike: ReadAlike): Quote[] {
  const { termsOf, ...subject } = readAlike(
    question,
    passages.map(({ title, place, text }) => `${title} ${place} ${text}`),
  );
  const sections = passages.flatMap((passage, rank) =>
    sectionsOf(passage).map((section) => readSection(section, rank, termsOf)),
  );
  const asked = readQuestion(subject, sections, termsOf);
  const candidates = sections
    .flatMap((section) => candidatesOf(section, asked))
    .filter(({ coverage }) => coverage >= LEAST_COVERAGE);
  return choose(candidates, asked.terms)
    .map(({ section, at, isNamed }) => ({
      number: section.passage.number,
      text: quotedText(section.sentences, at, isNamed),
    }))
    .toSorted((a, b) => a.number - b.number);
}

/** The best one and, if it leaves something out, another that covers it. */
function choose(candidates: Candidate[], wanted: string[]): Candidate[] {
  const ranked = candidates.toSorted((a, b) => b.score - a.score);
  const best = ranked[0];
  if (!best) return [];
  const missing = wanted.filter((term) => !best.held.has(term));
  const further = ranked.find(
    ({ section, score, held }) =>
      section !== best.section &&
      score >= best.score * WORTH_ADDING &&
      missing.some((term) => held.has(term)),
  );
  return further ? [best, further] : [best];
}
