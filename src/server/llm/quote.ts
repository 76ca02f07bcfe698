import type { Analyse } from './extractive.ts';
import type { PromptPassage } from './passages.ts';

export interface Quote {
  /** The passage it is from. */
  number: number;
  text: string;
}

/** A quote must hold this share of the question's weight, or the answer says that there is none. */
const LEAST_COVERAGE = 0.15;
/** A further quote must be nearly as good as the best one. */
const WORTH_ADDING = 0.75;
const MOST_QUOTES = 3;
/** A sentence shorter than this is quoted together with the one after it. */
const SHORT_SENTENCE_CHARACTERS = 60;
/** Passages come best first; a later one needs a better sentence to win. */
const RANK_DISCOUNT = 0.04;

interface Candidate extends Quote {
  score: number;
  coverage: number;
}

/** A word of the question that stands in the heading above a sentence speaks for it, but less than one within it. */
const HEADING_WEIGHT = 0.6;

/** The sentences that cover the question's words best, rare words counting more, in the order of the passages. */
export function quoteBest(question: string, passages: PromptPassage[], analyse: Analyse): Quote[] {
  const wanted = [...new Set(analyse(question))];
  if (wanted.length === 0) return [];
  const sentences = passages.flatMap((passage, rank) =>
    sentencesOf(passage.text).map(({ text, heading }) => ({
      text,
      number: passage.number,
      rank,
      terms: new Set(analyse(text)),
      above: new Set(analyse(heading ?? `${passage.title} ${passage.place}`)),
    })),
  );
  const weight = weigher(
    wanted,
    sentences.map(({ terms }) => terms),
  );
  const total = sum(wanted.map(weight));
  const candidates: Candidate[] = sentences.map(({ text, number, rank, terms, above }) => {
    const within = sum(wanted.filter((term) => terms.has(term)).map(weight));
    const overhead = sum(wanted.filter((term) => !terms.has(term) && above.has(term)).map(weight));
    const coverage = (within + overhead * HEADING_WEIGHT) / total;
    return { text, number, coverage, score: coverage - rank * RANK_DISCOUNT };
  });
  return choose(candidates.filter(({ coverage }) => coverage >= LEAST_COVERAGE));
}

function choose(candidates: Candidate[]): Quote[] {
  const ranked = candidates.toSorted((a, b) => b.score - a.score);
  const best = ranked[0]?.score ?? 0;
  const chosen: Candidate[] = [];
  for (const candidate of ranked) {
    if (chosen.length === MOST_QUOTES || candidate.score < best * WORTH_ADDING) break;
    const isRepeated = chosen.some(
      ({ text }) => text.includes(candidate.text) || candidate.text.includes(text),
    );
    if (!isRepeated) chosen.push(candidate);
  }
  return chosen.toSorted((a, b) => a.number - b.number).map(({ number, text }) => ({ number, text }));
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

interface Sentence {
  text: string;
  /** The heading above it inside the passage; undefined above the first one. */
  heading: string | undefined;
}

const listItem = /^\s*(?:[-*+]|\d+[.)])\s+/;

/** Sentences of paragraphs, list items and table rows, without their marks; short sentences joined so that a quote says something. */
function sentencesOf(markdown: string): Sentence[] {
  let heading: string | undefined;
  return blocksOf(markdown).flatMap((block) => {
    const title = /^#{1,6}\s(.*)$/.exec(block)?.[1]?.trim();
    if (title !== undefined) {
      heading = title;
      return [];
    }
    const plain = cellsOf(block).replace(listItem, '').replace(/^>\s?/gm, '').replace(/\s+/g, ' ').trim();
    if (!/[\p{L}\p{N}]/u.test(plain)) return [];
    const sentences = joinShort(plain.split(/(?<=[.!?。！？])\s+(?=\S)|(?<=[。！？])/u));
    return sentences.map((text) => ({ text, heading }));
  });
}

/** A table row as its cells: `| a | b |` reads `a: b`. */
function cellsOf(block: string): string {
  const row = block.trim();
  return !row.startsWith('|')
    ? block
    : row
        .split('|')
        .map((cell) => cell.trim())
        .filter(Boolean)
        .join(': ');
}

/** Headings, list items and table rows stand alone; other lines belong together until an empty one. */
function blocksOf(markdown: string): string[] {
  const blocks: string[] = [];
  let isOpen = false;
  for (const line of markdown.split(/\n|\f/)) {
    const standsAlone = /^#{1,6}\s/.test(line) || listItem.test(line) || line.trimStart().startsWith('|');
    if (line.trim() === '') isOpen = false;
    else if (isOpen && !standsAlone) blocks.push(`${blocks.pop() ?? ''}\n${line}`);
    else blocks.push(line);
    if (line.trim() !== '') isOpen = !/^#{1,6}\s|^\s*\|/.test(line);
  }
  return blocks;
}

function joinShort(sentences: string[]): string[] {
  const joined: string[] = [];
  for (const sentence of sentences) {
    const previous = joined.at(-1);
    if (previous !== undefined && previous.length < SHORT_SENTENCE_CHARACTERS)
      joined[joined.length - 1] = `${previous} ${sentence}`;
    else joined.push(sentence);
  }
  return joined;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
