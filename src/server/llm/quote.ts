import type { Analyse } from './extractive.ts';
import type { PromptPassage } from './passages.ts';
import { sectionsOf, type Section, type Sentence } from './sentences.ts';

export interface Quote {
  /** The passage it is from. */
  number: number;
  text: string;
}

/** A quote must hold this share of the question's weight, or the answer says that there is none. */
const LEAST_COVERAGE = 0.15;
/** A further quote must be nearly as good as the best one. */
const WORTH_ADDING = 0.75;
/** Passages come best first; a later one needs a better sentence to win. */
const RANK_DISCOUNT = 0.04;
/** A word of the question that stands in the heading above a sentence speaks for it, but less than one within it. */
const HEADING_WEIGHT = 0.6;
/** And one that stands elsewhere under the same heading less again. */
const AROUND_WEIGHT = 0.3;
/** What is said under a heading that the question names is what was asked for. */
const NAMED_HEADING = 0.4;
/** From so many of its words on, all of a list under it is. */
const NAMED_ENOUGH = 0.4;
/** "back up" is more than "back". */
const PAIR_WEIGHT = 0.3;
/** A quote is read alone: what follows in its paragraph goes with it until it has so many characters. */
const ENOUGH_CHARACTERS = 200;
/** A list or a table under a heading that the question names is quoted as far as this. */
const LIST_CHARACTERS = 700;
const LIST_MARK = '- ';

interface Candidate {
  section: Section;
  /** Its place among the section's sentences. */
  at: number;
  /** How much of the question is said by it and the headings above it, 0 to 1. */
  coverage: number;
  score: number;
  /** The heading above it is what was asked for. */
  isNamed: boolean;
  held: Set<string>;
}

/** What answers best of the passages, in the order of the passages. Rare words count more. */
export function quoteBest(question: string, passages: PromptPassage[], analyse: Analyse): Quote[] {
  const wanted = [...new Set(analyse(question))];
  if (wanted.length === 0) return [];
  const sections = passages.flatMap((passage, rank) =>
    sectionsOf(passage).map((section) => ({ section, rank, ...termsOf(section, analyse) })),
  );
  const weight = weigher(
    wanted,
    sections.flatMap(({ within }) => within),
  );
  const total = sum(wanted.map(weight));
  const pairs = pairsOf(question, analyse);
  const candidates = sections.flatMap(({ section, rank, within, above, heading, all }) => {
    const named =
      share([...heading], (term) => wanted.includes(term)) *
      (sum(wanted.filter((term) => heading.has(term)).map(weight)) / total);
    return within.map((terms, at): Candidate => {
      const held = sum(wanted.filter((term) => terms.has(term)).map(weight));
      const overhead = sum(wanted.filter((term) => !terms.has(term) && above.has(term)).map(weight));
      const around = sum(
        wanted.filter((term) => !terms.has(term) && !above.has(term) && all.has(term)).map(weight),
      );
      const coverage = (held + overhead * HEADING_WEIGHT) / total;
      const said = plain(`${section.heading} . ${section.sentences[at]?.text ?? ''}`);
      const score =
        coverage +
        (AROUND_WEIGHT * around) / total +
        NAMED_HEADING * named * (at === 0 ? 2 : 1) +
        PAIR_WEIGHT * share(pairs, (pair) => said.includes(pair)) -
        RANK_DISCOUNT * rank;
      return {
        section,
        at,
        coverage,
        score,
        isNamed: named >= NAMED_ENOUGH,
        held: new Set([...terms, ...above]),
      };
    });
  });
  return choose(
    candidates.filter(({ coverage }) => coverage >= LEAST_COVERAGE),
    wanted,
  );
}

function termsOf(section: Section, analyse: Analyse) {
  const within = section.sentences.map(({ text }) => new Set(analyse(text)));
  return {
    within,
    heading: new Set(analyse(section.heading)),
    above: new Set(analyse(`${section.passage.title} ${section.passage.place} ${section.heading}`)),
    all: new Set(within.flatMap((terms) => [...terms])),
  };
}

function choose(candidates: Candidate[], wanted: string[]): Quote[] {
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
  return [best, ...(further ? [further] : [])]
    .map((candidate) => ({ number: candidate.section.passage.number, text: quoteOf(candidate) }))
    .toSorted((a, b) => a.number - b.number);
}

/** The sentence with what belongs to it. */
function quoteOf({ section: { sentences }, at, isNamed }: Candidate): string {
  const first = sentences[at];
  if (!first) return '';
  const isList = isNamed && (first.kind === 'item' || first.kind === 'row');
  const start = isList ? startOfList(sentences, at) : at;
  const quoted: Sentence[] = [];
  let length = 0;
  for (const sentence of sentences.slice(start)) {
    const previous = quoted.at(-1);
    if (previous && !goesOn(previous, sentence, length, isList)) break;
    quoted.push(sentence);
    length += sentence.text.length;
  }
  const text = quoted.reduce((all, next, index) => all + between(quoted[index - 1], next) + next.text, '');
  return isList ? `${LIST_MARK}${text}` : text;
}

/** The first of the list that the sentence is in; or itself, where from there on it would be left out. */
function startOfList(sentences: Sentence[], at: number): number {
  const start = sentences.slice(0, at).findLastIndex(({ kind }) => kind !== sentences[at]?.kind) + 1;
  const length = sum(sentences.slice(start, at + 1).map(({ text }) => text.length));
  return length <= LIST_CHARACTERS ? start : at;
}

function goesOn(previous: Sentence, next: Sentence, length: number, isList: boolean): boolean {
  if (isList) return next.kind === previous.kind && length + next.text.length <= LIST_CHARACTERS;
  if (/[:：]$/.test(previous.text)) return length + next.text.length <= LIST_CHARACTERS;
  return next.block === previous.block && length < ENOUGH_CHARACTERS;
}

function between(previous: Sentence | undefined, next: Sentence): string {
  if (!previous) return '';
  if (previous.block === next.block) return ' ';
  return next.kind === 'item' || next.kind === 'row' ? `\n${LIST_MARK}` : '\n\n';
}

/** Neighbouring words of the question, but for such as both say nothing by themselves. */
function pairsOf(question: string, analyse: Analyse): string[] {
  const words = plain(question).trim().split(' ');
  return words
    .slice(1)
    .map((word, index) => `${words[index]} ${word}`)
    .filter((pair) => analyse(pair).length > 0)
    .map((pair) => ` ${pair} `);
}

function plain(text: string): string {
  return ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

/** Inverse frequency among the sentences at hand: a word that all of them hold decides nothing. */
function weigher(terms: string[], sentences: Set<string>[]): (term: string) => number {
  const weights = new Map(
    terms.map((term) => {
      const holding = sentences.filter((sentence) => sentence.has(term)).length;
      return [term, Math.log(1 + (sentences.length - holding + 0.5) / (holding + 0.5))];
    }),
  );
  return (term) => weights.get(term) ?? 0;
}

function share<T>(all: T[], holds: (each: T) => boolean): number {
  return all.length === 0 ? 0 : all.filter(holds).length / all.length;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
