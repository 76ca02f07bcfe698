import type { Deps } from '../../deps.ts';
import type { ModelChain } from '../../llm/models.ts';
import type { Translating, Translation } from '../../llm/translate.ts';
import {
  awaitNewItems,
  foundInAnyLanguage,
  readerFor,
  retrieveFor,
  vectorOf,
  type Grounds,
  type StatisticsRow,
} from '../knowledge/search.ts';
import type { Turn } from './turn-store.ts';

/** What an answer is based on, and how it was found. */
export interface Findings extends Grounds {
  /** The question, or a translation of it. */
  query: string;
  /** Of the index that was searched. */
  statistics: StatisticsRow;
  /** Unset if none was asked for. */
  translation?: Translation | undefined;
}

export async function findFor(deps: Deps, turn: Turn, statistics = turn.statistics): Promise<Findings> {
  return find(deps, turn, { query: turn.question.text, earlier: askedBefore(turn), statistics });
}

/** Searches again, including what the agent has just been given, if there is anything. */
export async function findInNew(deps: Deps, turn: Turn, signal: AbortSignal): Promise<Findings | undefined> {
  const { version } = turn.statistics;
  const statistics = await awaitNewItems(deps, keyOf(turn), { version, signal });
  return statistics && findFor(deps, turn, statistics);
}

/** Searches again in the languages of the agent's texts, if the question is in another. */
export async function findTranslated(
  deps: Deps,
  turn: Turn,
  { found, chain, isRefused }: { found: Findings; chain: ModelChain; isRefused: boolean },
  translating: Translating,
): Promise<Findings> {
  const { statistics } = found;
  const asked = { text: turn.question.text, earlier: askedBefore(turn), found, isRefused, chain };
  const search = (query: string) => find(deps, turn, { query, earlier: [], statistics });
  const reader = readerFor(deps, keyOf(turn), statistics);
  const { best, translation } = await foundInAnyLanguage(deps, reader, asked, search, translating);
  return { ...best, translation };
}

async function find(
  deps: Deps,
  turn: Turn,
  { query, earlier, statistics }: { query: string; earlier: string[]; statistics: StatisticsRow },
): Promise<Findings> {
  const key = keyOf(turn);
  const vector = await vectorOf(deps, key.organizationId, query, earlier);
  const grounds = await retrieveFor(deps, key, query, { history: earlier, vector, statistics });
  return { ...grounds, query, statistics };
}

const keyOf = ({ agent, question }: Turn) => ({
  organizationId: question.organizationId,
  agentId: agent.id,
});

/** Newest first. */
function askedBefore({ history }: Turn): string[] {
  return history.filter(({ role }) => role === 'user').map(({ text }) => text);
}
