import type { Section } from './sentences.ts';

/** Passages are sorted best first; a later one needs a better sentence to win. */
const RANK_DISCOUNT = 0.04;
/** A question word in the heading above a sentence counts in its favor, but less than one inside it. */
const HEADING_WEIGHT = 0.6;
/** And one elsewhere under the same heading counts even less. */
const AROUND_WEIGHT = 0.3;
/** Text under a heading that the question names is what was asked for, above all the first of it. */
const NAMED_HEADING = 0.4;
const NAMED_HEADING_FIRST = 2 * NAMED_HEADING;
/** A heading counts as named from this share of its words. */
const NAMED_ENOUGH = 0.4;
/** "back up" is more than "back". */
const PAIR_WEIGHT = 0.3;

type Terms = ReadonlySet<string>;
type TermsOf = (text: string) => string[];

/** A question, and the weight of each of its terms among the sections that may answer it. */
interface Question {
  terms: string[];
  /** Adjacent words, in the form `plain` gives a text. */
  pairs: string[];
  /** The share of the question's weight these terms cover, 0 to 1. */
  coveredBy: (terms: Terms) => number;
}

/** A section with the terms of its parts. */
interface ReadSection {
  section: Section;
  /** Of its passage: 0 is the best. */
  rank: number;
  heading: Terms;
  /** Of its heading and the headings above it. */
  above: Terms;
  sentences: Terms[];
  /** Of all its sentences. */
  body: Terms;
}

/** A sentence that may be quoted. */
export interface Candidate {
  section: Section;
  /** Its index among the section's sentences. */
  at: number;
  /** How much of the question it covers together with the headings above it, 0 to 1. */
  coverage: number;
  score: number;
  /** The heading above it is what was asked for. */
  isNamed: boolean;
  held: Terms;
}

export function readSection(section: Section, rank: number, termsOf: TermsOf): ReadSection {
  const sentences = section.sentences.map(({ text }) => new Set(termsOf(text)));
  return {
    section,
    rank,
    heading: new Set(termsOf(section.heading)),
    above: new Set(termsOf(`${section.passage.title} ${section.passage.place} ${section.heading}`)),
    sentences,
    body: new Set(sentences.flatMap((terms) => [...terms])),
  };
}

export function readQuestion(
  { subject, asked }: { subject: string; asked: string[] },
  sections: ReadSection[],
  termsOf: TermsOf,
): Question {
  const terms = [...new Set(asked)];
  const all = sections.flatMap(({ sentences }) => sentences);
  const weights = new Map(terms.map((term) => [term, rarity(term, all)]));
  const weigh = (those: string[]) => sum(those.map((term) => weights.get(term) ?? 0));
  const total = weigh(terms);
  return {
    terms,
    pairs: pairsOf(subject, termsOf),
    coveredBy: (held) => (total === 0 ? 0 : weigh(terms.filter((term) => held.has(term))) / total),
  };
}

/** Every sentence of a section, scored by its own words, those around it and its headings. */
export function candidatesOf(read: ReadSection, question: Question): Candidate[] {
  const { section, rank, heading, above, body } = read;
  const named = namedShare(heading, question);
  return read.sentences.map((terms, at) => {
    const coverage = question.coveredBy(terms) + HEADING_WEIGHT * question.coveredBy(above.difference(terms));
    const around = question.coveredBy(body.difference(terms).difference(above));
    const said = plain(`${section.heading} . ${section.sentences[at]?.text ?? ''}`);
    const score =
      coverage +
      AROUND_WEIGHT * around +
      (at === 0 ? NAMED_HEADING_FIRST : NAMED_HEADING) * named +
      PAIR_WEIGHT * share(question.pairs, (pair) => said.includes(pair)) -
      RANK_DISCOUNT * rank;
    return { section, at, coverage, score, isNamed: named >= NAMED_ENOUGH, held: terms.union(above) };
  });
}

/**
 * How well a heading matches the question: the share of it that the question covers, times the share of the question
 * that it covers.
 */
function namedShare(heading: Terms, { terms, coveredBy }: Question): number {
  return share([...heading], (term) => terms.includes(term)) * coveredBy(heading);
}

/** Inverse frequency among the given sentences: a word in all of them decides nothing. */
function rarity(term: string, sentences: Terms[]): number {
  const holding = sentences.filter((terms) => terms.has(term)).length;
  return Math.log(1 + (sentences.length - holding + 0.5) / (holding + 0.5));
}

/** Adjacent words of the question, except pairs where neither word means anything by itself. */
function pairsOf(question: string, termsOf: TermsOf): string[] {
  const words = plain(question).trim().split(' ');
  return words
    .slice(1)
    .map((word, index) => `${words[index]} ${word}`)
    .filter((pair) => termsOf(pair).length > 0)
    .map((pair) => ` ${pair} `);
}

/** Words only, in lower case, with a space on both sides of each. */
function plain(text: string): string {
  return ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

function share<T>(all: T[], holds: (each: T) => boolean): number {
  return all.length === 0 ? 0 : all.filter(holds).length / all.length;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
