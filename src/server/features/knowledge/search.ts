import { CONTEXT_MAX_TOKENS } from '../../../contract/limits.ts';
import type { Deps } from '../../deps.ts';
import { addTerms, type TermCounts } from './analyze/analyze.ts';
import { withoutAsking } from './analyze/without-asking.ts';
import { chunkTerms } from './index/chunk-terms.ts';
import { fillContext } from './search/context.ts';
import { correct } from './search/correct.ts';
import { expand, FEEDBACK_PASSAGES, type FeedbackPassage } from './search/feedback.ts';
import { fuse, type Similarities } from './search/fusion.ts';
import { IndexCache } from './search/index-cache.ts';
import { readerWith, type IndexReader } from './search/index-reader.ts';
import type { ChunkRow, StatisticsRow } from './index/index-store.ts';
import type { AgentKey } from './keys.ts';
import type { Postings } from './index/postings.ts';
import { byPhrases, phrasesOf } from './search/phrases.ts';
import { queryOf } from './search/query.ts';
import { best, eitherWay, score, type IndexStatistics, type Scores, type Weights } from './search/ranking.ts';
import { coverageOf, likenessOf, supportOf, type Judgement } from './search/support.ts';
import type { Asked } from './vectors/vector-store.ts';

export { isSmallTalk, smallTalkIn, type SmallTalk } from './analyze/small-talk.ts';
export { wordsWithTerms } from './analyze/words.ts';
export { termsOfQuestions, type AskedText, type QuestionTerms } from './search/question-terms.ts';
export { readerIn } from './search/index-reader.ts';
export { restoreBlock } from './index/restore-block.ts';
export type { CutPassage } from './index/block.ts';
export { nextSyncOf } from './schedule.ts';
export { awaitNewItems } from './new-items.ts';
export { foundInAnyLanguage } from './search/foreign.ts';
export { writeVectors } from './vectors/vector-store.ts';
export { bytesOf, numbersOf } from './vectors/vectors.ts';
export { languagesOf, statisticsSql, type StatisticsRow } from './index/index-store.ts';

/** A passage relevant to a question, with its location. */
export interface Passage extends Omit<ChunkRow, 'number'> {
  /**
   * BM25 with feedback or, with vectors or an earlier question, a share of the best score, plus the bonus for phrases;
   * comparable within one response only.
   */
  score: number;
  /** It answers a pair's question nearly identical to the one asked. */
  isAnswerOfPair: boolean;
}

interface Retrieved {
  /** Best first. */
  passages: Passage[];
  /** How much of the question the best passages cover, 0 to 1; see `supportOf`. */
  support: number;
  /** Neither it nor an earlier question has a word that tells what it is about ("How are you?"), so that `support` says little. */
  isVague: boolean;
}

/** How the search was done, for those who want to know why. */
export interface Found extends Retrieved {
  /** The terms of the question's words, without those that only hint at what is meant. */
  query: TermCounts;
  addedTerms: string[];
  postings: ReadonlyMap<string, Postings>;
  statistics: IndexStatistics;
  /** For the passages, by chunk: the score of their words alone, and the similarity of their vectors, if they have one. */
  keywordScores: ReadonlyMap<string, number>;
  similarities: ReadonlyMap<string, number>;
}

/** A question as a vector, and its weight. */
export interface QuestionVector extends Asked {
  weight: number;
  /** The similarity from which a passage supports a question whose words it doesn't contain. */
  support: number;
}

interface SearchOptions {
  limit: number;
  /** The same person's earlier questions, newest first. */
  history?: string[];
  /** Without it, words alone decide. */
  vector?: QuestionVector | undefined;
}

/** How similar a question must be to a pair's own for the pair to count as meant for it. */
const SAME_QUESTION = 0.6;

/** After an earlier question, headings can move a passage up from this many times further down. */
const LOOKED_AT_FOR_PHRASES = 2;

/** Searches everything an agent knows. A passage can be found even if it lacks some of the question's words. */
export async function search(
  reader: IndexReader,
  question: string,
  { limit, history = [], vector }: SearchOptions,
): Promise<Found> {
  const statistics = await reader.statistics();
  const { chunks } = statistics;
  const query = queryOf(question, history, statistics.languageSets);
  const postings = await reader.postings([...query.terms.keys()]);
  await correct(reader, query, postings);
  const alone = query.own.size < query.terms.size ? score(query.own, postings, statistics) : undefined;
  const scores = eitherWay(score(query.terms, postings, statistics), alone);
  const phrases = phrasesOf(question, statistics.languageSets);
  const looked = alone && phrases.length > 0 ? limit * LOOKED_AT_FOR_PHRASES : limit;
  const first = best(scores, Math.max(looked, FEEDBACK_PASSAGES));
  const rows = await rowsOf(reader, first);
  const feedback = first
    .slice(0, FEEDBACK_PASSAGES)
    .flatMap(([number, score]) => feedbackPassage(rows.get(number), score));
  const held = feedback.map(({ counts }) => counts);
  const judgement = { words: query.ownWords, query: query.subject, postings, chunks, held };
  const support = supportOf(judgement);
  const expanded = expand(query.terms, feedback, coverageOf(judgement));
  const words = expanded
    ? eitherWay(await scoreExpanded(reader, expanded, postings, statistics), alone)
    : scores;
  const byWords = expanded ? best(words, looked) : first.slice(0, looked);
  const similarities = await similaritiesOf(reader, vector, byWords, chunks);
  const final =
    vector && similarities.size > 0 ? best(fuse(words, similarities, vector.weight), looked) : byWords;
  const found = (await withRows(reader, final, rows)).map(({ number, score, row }) => ({
    number,
    passage: passageOf(row, score, isAsked(row, judgement)),
  }));
  const ranked = found.map(({ passage }) => passage);
  const passages = byPhrases(phrases, ranked).toSorted(answersFirst).slice(0, limit);
  const isAnswered = passages[0]?.isAnswerOfPair === true;
  return {
    passages,
    support: isAnswered ? 1 : Math.max(support, supportBy(similarities, vector)),
    isVague: query.isVague,
    query: withoutTerms(query.terms, query.hints),
    addedTerms: [...(expanded?.keys() ?? [])].filter((term) => !query.terms.has(term)),
    postings,
    statistics,
    keywordScores: byChunk(found, words),
    similarities: byChunk(found, similarities),
  };
}

function withoutTerms(terms: TermCounts, others: ReadonlySet<string>): TermCounts {
  return new Map([...terms].filter(([term]) => !others.has(term)));
}

function isAsked({ kind, title, language }: ChunkRow, judgement: Judgement): boolean {
  if (kind !== 'qa') return false;
  const asked: TermCounts = new Map();
  addTerms(asked, withoutAsking(title, [language]), language);
  return likenessOf(judgement.query, asked, judgement) >= SAME_QUESTION;
}

async function similaritiesOf(
  reader: IndexReader,
  vector: QuestionVector | undefined,
  byWords: [number: number, score: number][],
  passages: number,
): Promise<Similarities> {
  if (!vector) return new Map();
  return reader.similar(vector, { also: byWords.map(([number]) => number), passages });
}

function answersFirst(a: Passage, b: Passage): number {
  return Number(b.isAnswerOfPair) - Number(a.isAnswerOfPair);
}

/** Models differ in what they call similar, so only very similar passages count, by their similarity. */
function supportBy(similarities: Similarities, vector: QuestionVector | undefined): number {
  const most = Math.max(0, ...similarities.values());
  return vector && most >= vector.support ? Math.min(1, most) : 0;
}

function byChunk(
  found: { number: number; passage: Passage }[],
  values: ReadonlyMap<number, number>,
): Map<string, number> {
  return new Map(
    found.flatMap(({ number, passage }) => {
      const value = values.get(number);
      return value === undefined ? [] : [[passage.chunkId, value] as const];
    }),
  );
}

async function scoreExpanded(
  reader: IndexReader,
  expanded: Weights,
  postings: Map<string, Postings>,
  statistics: IndexStatistics,
): Promise<Scores> {
  const missing = [...expanded.keys()].filter((term) => !postings.has(term));
  for (const [term, list] of await reader.postings(missing)) postings.set(term, list);
  return score(expanded, postings, statistics);
}

/** Candidates for a prompt: more than fit into it, so that a short one can replace a long one. */
export const CANDIDATES = 12;

/** What an answer is based on. */
export interface Grounds extends Retrieved {
  /** Found too, but not given to the model. */
  others: Passage[];
}

/** What the model is shown for a question: the best passages, with neighbors joined, as many as fit in the context. */
export async function retrieve(
  reader: IndexReader,
  question: string,
  history: string[] = [],
  vector?: QuestionVector,
): Promise<Grounds> {
  const {
    passages: found,
    support,
    isVague,
  } = await search(reader, question, { limit: CANDIDATES, history, vector });
  const passages = fillContext(found, CONTEXT_MAX_TOKENS);
  return { passages, support, isVague, others: found.filter((each) => !passages.includes(each)) };
}

const cache = new IndexCache();

/** Reads for an answer, using cached index data. `statistics` must be current. */
export function readerFor({ db }: Pick<Deps, 'db'>, key: AgentKey, statistics: StatisticsRow): IndexReader {
  return readerWith(db, key, statistics, cache.of(key.agentId, statistics.version));
}

/** The same as `retrieve` for an answer. */
export async function retrieveFor(
  deps: Pick<Deps, 'db'>,
  key: AgentKey,
  question: string,
  {
    history,
    vector,
    statistics,
  }: { history: string[]; vector: QuestionVector | undefined; statistics: StatisticsRow },
): Promise<Grounds> {
  if (statistics.chunks === 0) return { passages: [], support: 0, isVague: false, others: [] };
  return retrieve(readerFor(deps, key, statistics), question, history, vector);
}

/** A question of at most this many characters may refer to the previous question's subject. */
const SHORT_QUESTION = 40;

/**
 * The question as a vector, for `search`; undefined if there is no embedding model, or none that answers in time. Not
 * for use in a transaction: a connection must not wait for a model.
 */
export async function vectorOf(
  { embedding }: Pick<Deps, 'embedding'>,
  organizationId: string,
  question: string,
  history: string[] = [],
): Promise<QuestionVector | undefined> {
  if (!embedding) return undefined;
  const before = question.length <= SHORT_QUESTION ? history.slice(0, 1) : [];
  const vector = await embedding.ofQuestion(organizationId, [...before, question].join('\n'));
  const { embedder, weight, support } = embedding;
  return vector && { model: embedder.name, vector, weight, support };
}

/** With the rows of all of them; those in `rows` aren't read again. */
async function withRows(
  reader: IndexReader,
  scored: [number: number, score: number][],
  rows: ReadonlyMap<number, ChunkRow>,
): Promise<{ number: number; score: number; row: ChunkRow }[]> {
  const further = await rowsOf(
    reader,
    scored.filter(([number]) => !rows.has(number)),
  );
  return scored.flatMap(([number, score]) => {
    const row = rows.get(number) ?? further.get(number);
    return row ? [{ number, score, row }] : [];
  });
}

async function rowsOf(
  reader: IndexReader,
  scored: [number: number, score: number][],
): Promise<Map<number, ChunkRow>> {
  if (scored.length === 0) return new Map();
  const rows = await reader.chunks(scored.map(([number]) => number));
  return new Map(rows.map((row) => [row.number, row]));
}

function feedbackPassage(row: ChunkRow | undefined, score: number): FeedbackPassage[] {
  return row ? [{ score, ...chunkTerms(row.title, row, row.language) }] : [];
}

function passageOf({ number: _, ...row }: ChunkRow, score: number, isAnswerOfPair: boolean): Passage {
  return { ...row, score, isAnswerOfPair };
}
