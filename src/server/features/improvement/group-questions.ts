import { TOPIC_LEAST_QUESTIONS } from '../../../contract/limits.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../id.ts';
import { numbersOf } from '../knowledge/search.ts';
import { embedQuestions } from './embed-questions.ts';
import { group, type Grouped, type Item } from './group.ts';
import * as store from './grouping-store.ts';
import type { StoredCluster, StoredQuestion, StoredTopic } from './grouping-store.ts';
import type { AgentKey } from './keys.ts';
import { nameOfTopic } from './topic-name.ts';

/** At this similarity, paraphrases are grouped and different questions about the same thing mostly aren't. */
export const CLUSTER_LIKENESS = 0.08;
/** A topic is broader: questions about the same thing. */
const TOPIC_LIKENESS = 0.035;

/**
 * Updates an agent's clusters and topics for new questions. If another process or a member has changed them meanwhile,
 * their changes win: nothing is written, and grouping is repeated.
 */
export async function groupQuestions(
  deps: Pick<Deps, 'db' | 'log' | 'embedding'>,
  key: AgentKey,
): Promise<void> {
  const { db, embedding } = deps;
  const due = await db.in(key, (tx) => store.findDue(tx, key));
  if (!due) return;
  const started = performance.now();
  await embedQuestions(deps, key);
  const model = embedding?.embedder.name ?? null;
  const read = await db.in(key, async (tx) => ({
    clusters: await store.listClusters(tx, key),
    topics: await store.listTopics(tx, key),
    unanswered: await store.listQuestions(tx, key, { of: 'clusters', model }),
    all: await store.listQuestions(tx, key, { of: 'topics', model }),
  }));
  const clusters = await clustersOf(read.clusters, read.unanswered, embedding?.support);
  const topics = await topicsOf(read.topics, read.all);
  const turn = { revision: due.revision, ms: performance.now() - started };
  await db.in(key, async (tx) => {
    if (!(await store.takeTurn(tx, key, turn))) return;
    await store.writeClusters(tx, key, clusters, idsOf(read.unanswered));
    await store.writeTopics(tx, key, topics, idsOf(read.all));
  });
}

const idsOf = (questions: StoredQuestion[]): string[] => questions.map(({ id }) => id);

/** Two open clusters may merge; answered or dismissed ones take in repeated questions. */
async function clustersOf(
  known: StoredCluster[],
  questions: StoredQuestion[],
  leastSimilar: number | undefined,
): Promise<store.MadeGroup[]> {
  const closed = new Set(known.filter(({ state }) => state !== 'open').map(({ id }) => id));
  const put = known.flatMap(({ id, terms }): Item[] =>
    closed.has(id) && terms ? [{ id, terms, group: id }] : [],
  );
  const asked = questions.map(({ id, terms, clusterId, citedCluster, isUnanswered, vector }): Item => ({
    id,
    terms,
    vector: vector ? numbersOf(vector) : undefined,
    group: citedCluster ?? clusterId,
    isLoose: !isUnanswered,
  }));
  const unanswered = new Set(questions.filter(({ isUnanswered }) => isUnanswered).map(({ id }) => id));
  const found = await group([...put, ...asked], { least: CLUSTER_LIKENESS, leastSimilar, closed });
  return found
    .map((each) => ({ ...each, items: each.items.filter((id) => !closed.has(id)) }))
    .filter(({ groups, items }) => groups.length > 0 || items.some((id) => unanswered.has(id)))
    .map((each) => madeOf('questionCluster', each));
}

async function topicsOf(
  known: StoredTopic[],
  questions: StoredQuestion[],
): Promise<(store.MadeGroup & { name: string })[]> {
  // A member who named it has decided what it is.
  const closed = new Set(
    known.filter(({ frozen, named }) => frozen || named === 'member').map(({ id }) => id),
  );
  const items = questions.map(({ id, terms, topicId }): Item => ({ id, terms, group: topicId }));
  const found = await group(items, { least: TOPIC_LIKENESS, closed });
  const byId = new Map(questions.map((question) => [question.id, question]));
  const held = questions.map(({ terms }) => terms);
  return found
    .filter(({ groups, items: of }) => groups.length > 0 || of.length >= TOPIC_LEAST_QUESTIONS)
    .map((each) => ({
      ...madeOf('topic', each),
      name: nameOfTopic(
        each.items.flatMap((id) => byId.get(id) ?? []),
        held,
      ),
    }))
    .filter(({ isNew, name }) => !isNew || name !== '');
}

function madeOf(
  kind: 'questionCluster' | 'topic',
  { groups: [first, ...absorbed], items }: Grouped,
): store.MadeGroup {
  return { id: first ?? newId(kind), isNew: first === undefined, absorbed, items };
}
