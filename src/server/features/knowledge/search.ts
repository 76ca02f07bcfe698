import { CONTEXT_MAX_TOKENS } from '../../../contract/limits.ts';
import type { Tx } from '../../db/scope.ts';
import { addTerms, isGram, isStopWord, type TermCounts } from './analyze/analyze.ts';
import { chunkTerms } from './chunk-terms.ts';
import { fillContext } from './context.ts';
import { expand, FEEDBACK_PASSAGES, type FeedbackPassage } from './feedback.ts';
import { readChunks, readPostings, readStatistics, readTermsLike, type ChunkRow } from './index-store.ts';
import type { Postings } from './postings.ts';
import { best, idf, score, type IndexStatistics, type Scores, type Weights } from './ranking.ts';
import { forgivenLetters, mayBeMisspelt, mostSimilar, RIGHT_LETTERS } from './similar.ts';

/** A passage that speaks to a question, with its place. */
export interface Passage extends Omit<ChunkRow, 'number' | 'language'> {
  /** BM25 with feedback; comparable within one answer only. */
  score: number;
}

export interface Retrieved {
  /** Best first. */
  passages: Passage[];
  /** How much of the question the best passages speak to, 0 to 1; see `supportOf`. */
  support: number;
}

/** Looks through everything an agent knows. Any word of the question may be missing from a passage that is found. */
export async function search(
  tx: Tx,
  agentId: string,
  question: string,
  { limit }: { limit: number },
): Promise<Retrieved> {
  const statistics = await readStatistics(tx, agentId);
  const words = wordsOf(question, statistics.languages);
  const query = merged(words);
  const postings = await readPostings(tx, agentId, [...query.keys()]);
  await correct(tx, agentId, words, query, postings);
  const first = best(score(query, postings, statistics), Math.max(limit, FEEDBACK_PASSAGES));
  const rows = await rowsOf(
    tx,
    agentId,
    first.map(([number]) => number),
  );
  const feedback = first
    .slice(0, FEEDBACK_PASSAGES)
    .flatMap(([number, score]) => feedbackPassage(rows.get(number), score));
  const support = supportOf(query, postings, statistics, feedback);
  const expanded = expand(query, feedback, support);
  const final = expanded
    ? best(await scoreExpanded(tx, agentId, expanded, postings, statistics), limit)
    : first.slice(0, limit);
  const further = await rowsOf(
    tx,
    agentId,
    final.map(([number]) => number).filter((number) => !rows.has(number)),
  );
  return {
    passages: final.flatMap(([number, score]) => passageOf(rows.get(number) ?? further.get(number), score)),
    support,
  };
}

async function scoreExpanded(
  tx: Tx,
  agentId: string,
  expanded: Weights,
  postings: Map<string, Postings>,
  statistics: IndexStatistics,
): Promise<Scores> {
  const missing = [...expanded.keys()].filter((term) => !postings.has(term));
  for (const [term, list] of await readPostings(tx, agentId, missing)) postings.set(term, list);
  return score(expanded, postings, statistics);
}

/** Candidates for a prompt: more than fit into it, so that a short one can take the place of a long one. */
const CANDIDATES = 12;

/** What the model is shown for a question: the best passages, neighbours joined, as many as the context holds. */
export async function retrieve(tx: Tx, agentId: string, question: string): Promise<Retrieved> {
  const { passages, support } = await search(tx, agentId, question, { limit: CANDIDATES });
  return { passages: fillContext(passages, CONTEXT_MAX_TOKENS), support };
}

/**
 * The question's words, each as the terms it may stand as: by the rules of every language that the agent's sources are
 * in, since a short question's own can't be told for sure. A word that one of these languages has for a stop word is
 * left out.
 */
function wordsOf(question: string, languages: string[]): TermCounts[] {
  const words = question.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const telling = words.filter((word) => !languages.some((language) => isStopWord(word, language)));
  return telling.map((word) => {
    const terms: TermCounts = new Map();
    for (const language of languages) {
      const counts: TermCounts = new Map();
      addTerms(counts, word, language);
      for (const [term, count] of counts) terms.set(term, Math.max(count, terms.get(term) ?? 0));
    }
    return terms;
  });
}

function merged(words: TermCounts[]): TermCounts {
  const terms: TermCounts = new Map();
  for (const [term, count] of words.flatMap((word) => [...word]))
    terms.set(term, (terms.get(term) ?? 0) + count);
  return terms;
}

/** What was probably meant counts less than what was said. */
const CORRECTION_WEIGHT = 0.5;

/** Puts what was most likely meant beside each word that no passage holds in any form. */
async function correct(
  tx: Tx,
  agentId: string,
  words: TermCounts[],
  query: TermCounts,
  postings: Map<string, Postings>,
): Promise<void> {
  const unknown = words.filter((terms) => !terms.keys().some((term) => !isGram(term) && postings.has(term)));
  const meant = new Map<string, number>();
  for (const [term, count] of unknown.flatMap((terms) => [...terms].slice(0, 1))) {
    if (!mayBeMisspelt(term)) continue;
    const forgiven = forgivenLetters(term);
    const known = await readTermsLike(tx, agentId, term.slice(0, RIGHT_LETTERS), [
      term.length - forgiven,
      term.length + forgiven,
    ]);
    const similar = mostSimilar(term, known);
    if (similar && !query.has(similar)) meant.set(similar, CORRECTION_WEIGHT * count);
  }
  for (const [term, weight] of meant) query.set(term, weight);
  for (const [term, list] of await readPostings(tx, agentId, [...meant.keys()])) postings.set(term, list);
}

async function rowsOf(tx: Tx, agentId: string, numbers: number[]): Promise<Map<number, ChunkRow>> {
  if (numbers.length === 0) return new Map();
  return new Map((await readChunks(tx, agentId, numbers)).map((row) => [row.number, row]));
}

function feedbackPassage(row: ChunkRow | undefined, score: number): FeedbackPassage[] {
  return row ? [{ score, ...chunkTerms(row.title, row, row.language) }] : [];
}

function passageOf(row: ChunkRow | undefined, score: number): Passage[] {
  if (!row) return [];
  const { number: _, language: __, ...passage } = row;
  return [{ ...passage, score }];
}

const SUPPORT_PASSAGES = 3;

/**
 * The share of the question's words that the three best passages hold, rare words counting more, and words that no
 * passage holds counting most: 1 when they speak of all of it, 0 when of nothing.
 */
function supportOf(
  query: TermCounts,
  postings: ReadonlyMap<string, Postings>,
  { chunks }: IndexStatistics,
  passages: FeedbackPassage[],
): number {
  const held = passages.slice(0, SUPPORT_PASSAGES).map(({ counts }) => counts);
  let total = 0;
  let covered = 0;
  for (const term of query.keys()) {
    if (isGram(term)) continue;
    const weight = idf(chunks, postings.get(term)?.count ?? 0);
    total += weight;
    if (held.some((counts) => counts.has(term))) covered += weight;
  }
  return total === 0 ? 0 : covered / total;
}
