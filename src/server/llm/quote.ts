import type { Analyse } from './extractive.ts';
import type { PromptPassage } from './passages.ts';

export interface Quote {
  /** The passage it is from. */
  number: number;
  text: string;
}

/** A quote must hold this share of the question's weight, or the answer says that there is none. */
const LEAST_COVERAGE = 0.34;
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

/** The sentences that cover the question's words best, rare words counting more, in the order of the passages. */
export function quoteBest(question: string, passages: PromptPassage[], analyse: Analyse): Quote[] {
  const wanted = [...new Set(analyse(question))];
  if (wanted.length === 0) return [];
  const sentences = passages.flatMap((passage, rank) =>
    sentencesOf(passage.text).map((text) => ({
      text,
      number: passage.number,
      rank,
      terms: new Set(analyse(text)),
      context: new Set(analyse(`${passage.title} ${passage.place}`)),
    })),
  );
  const weight = weigher(wanted, sentences.map(({ terms }) => terms));
  const total = sum(wanted.map(weight));
  const candidates: Candidate[] = sentences.map(({ text, number, rank, terms, context }) => {
    const inText = sum(wanted.filter((term) => terms.has(term)).map(weight));
    const inContext = sum(wanted.filter((term) => !terms.has(term) && context.has(term)).map(weight));
    const coverage = (inText + inContext / 2) / total;
    return { text, number, coverage: inText > 0 ? coverage : 0, score: coverage - rank * RANK_DISCOUNT };
  });
  return choose(candidates.filter(({ coverage }) => coverage >= LEAST_COVERAGE));
}

function choose(candidates: Candidate[]): Quote[] {
  const ranked = candidates.toSorted((a, b) => b.score - a.score);
  const best = ranked[0]?.score ?? 0;
  const chosen: Candidate[] = [];
  for (const candidate of ranked) {
    if (chosen.length === MOST_QUOTES || candidate.score < best * WORTH_ADDING) break;
    const isRepeated = chosen.some(({ text }) => text.includes(candidate.text) || candidate.text.includes(text));
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

/** Headings, list marks and table rules stripped; short sentences joined with the next, so that a quote says something. */
function sentencesOf(markdown: string): string[] {
  return markdown.split(/\n\s*\n|\f/).flatMap((block) => {
    if (/^\s*#{1,6}\s/.test(block) && !block.includes('\n')) return [];
    const plain = block.replace(/^\s*(#{1,6}|[-*+]|\d+\.|>)\s+/gm, '').replace(/\s+/g, ' ').trim();
    return plain === '' ? [] : joinShort(plain.split(/(?<=[.!?。！？])\s+(?=\S)|(?<=[。！？])/u));
  });
}

function joinShort(sentences: string[]): string[] {
  const joined: string[] = [];
  for (const sentence of sentences) {
    const previous = joined.at(-1);
    if (previous !== undefined && previous.length < SHORT_SENTENCE_CHARACTERS) joined[joined.length - 1] = `${previous} ${sentence}`;
    else joined.push(sentence);
  }
  return joined;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
