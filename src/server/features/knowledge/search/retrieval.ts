import type { Retrieval } from '../../../../contract/knowledge.ts';
import { CONTEXT_MAX_TOKENS } from '../../../../contract/limits.ts';
import type { Agent } from '../../../access/gate.ts';
import type { Tx } from '../../../db/scope.ts';
import type { Deps } from '../../../deps.ts';
import { leastSupportOf } from '../../../llm/least-support.ts';
import { isGram } from '../analyze/analyze.ts';
import { chunkTerms } from '../index/chunk-terms.ts';
import { fillContext } from './context.ts';
import type { AgentKey } from '../keys.ts';
import { idf } from './ranking.ts';
import {
  CANDIDATES,
  foundInAnyLanguage,
  readerIn,
  search as searchIn,
  vectorOf,
  type Found,
  type Passage,
  type QuestionVector,
} from '../search.ts';

/** What a question finds, using the same search as answers do, and why. Not for use in a transaction: models are asked. */
export async function tryQuestion(
  deps: Deps,
  agent: Agent,
  question: string,
  signal: AbortSignal,
): Promise<Retrieval> {
  const { organizationId } = agent;
  const key = { organizationId, agentId: agent.id };
  const chain = await deps.models.chain(organizationId, agent.modelSettings);
  const leastSupport = leastSupportOf(chain);
  const search = async (query: string): Promise<Retrieval> => {
    const vector = await vectorOf(deps, organizationId, query);
    return deps.db.in({ organizationId }, (tx) => retrievalOf(tx, key, query, { vector, leastSupport }));
  };
  const found = await search(question);
  const isRefused = found.support < leastSupport;
  const asked = { text: question, earlier: [], found, isRefused, chain };
  const onError = (err: unknown, model: string): void => deps.log.warn({ err, model }, 'model failed');
  const languages = () => deps.db.in({ organizationId }, (tx) => readerIn(tx, key).languages());
  const { best } = await foundInAnyLanguage(deps, { languages }, asked, search, { signal, onError });
  return best;
}

async function retrievalOf(
  tx: Tx,
  key: AgentKey,
  question: string,
  { vector, leastSupport }: { vector: QuestionVector | undefined; leastSupport: number },
): Promise<Retrieval> {
  const started = performance.now();
  const found = await searchIn(readerIn(tx, key), question, { limit: CANDIDATES, vector });
  const milliseconds = performance.now() - started;
  const used = fillContext(found.passages, CONTEXT_MAX_TOKENS);
  const isUsed = ({ sourceId, offset }: Passage) =>
    used.some((each) => each.sourceId === sourceId && isWithin(offset, each));
  return {
    query: question,
    passages: found.passages.map((passage) => ({
      ...passage,
      keywordScore: found.keywordScores.get(passage.chunkId) ?? 0,
      similarity: found.similarities.get(passage.chunkId) ?? null,
      matchedTerms: matchedIn(passage, found),
      isUsed: isUsed(passage),
    })),
    terms: termsOf(found),
    addedTerms: found.addedTerms,
    support: found.support,
    leastSupport,
    milliseconds,
  };
}

function isWithin(offset: number, { offset: start, text }: Passage): boolean {
  return offset >= start && offset < start + Math.max(1, text.length);
}

function matchedIn(passage: Passage, { query }: Found): string[] {
  const { counts } = chunkTerms(passage.title, passage, passage.language);
  return [...query.keys()].filter((term) => !isGram(term) && counts.has(term));
}

/** Parts of words are left out: they mean nothing to a person. */
function termsOf({ query, postings, statistics }: Found): Retrieval['terms'] {
  const terms = [...query.keys()].filter((term) => !isGram(term));
  return terms
    .map((term) => {
      const passages = postings.get(term)?.count ?? 0;
      return { term, passages, weight: (query.get(term) ?? 0) * idf(statistics.chunks, passages) };
    })
    .toSorted((a, b) => b.weight - a.weight);
}
