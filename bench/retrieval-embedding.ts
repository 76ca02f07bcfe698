import { readConfig } from '../src/server/config/config.ts';
import type { Database } from '../src/server/db/scope.ts';
import { startEmbedWork } from '../src/server/features/knowledge/vectors/embed.ts';
import type { ItemKey } from '../src/server/features/knowledge/keys.ts';
import { readerIn, search, vectorOf, type QuestionVector } from '../src/server/features/knowledge/search.ts';
import { openEmbedding } from '../src/server/llm/embedding.ts';
import { createLog } from '../src/server/log.ts';
import { giveDocuments, makeItem } from './retrieval-agent.ts';
import type { Collection } from './retrieval-collection.ts';
import { judge, mean, percentile } from './retrieval-metrics.ts';

/** nDCG@10 by words alone, by vectors alone, and by both with the vectors at these weights. */
const weights = [0.1, 0.2, 0.3, 0.4, 0.5, 0.7];
const DEPTH = 200;

export type EmbeddingRow = Record<string, string | number>;

/** Has the product itself embed the collection with this `EMBEDDING_MODEL`, and asks the collection's questions. */
export async function measureEmbedding(
  database: Database,
  collection: Collection,
  model: string,
): Promise<EmbeddingRow> {
  const config = readConfig({ ...process.env, EMBEDDING_MODEL: model });
  const log = createLog({ logLevel: 'warn' });
  const embedding = await openEmbedding(config.embedding, log);
  if (!embedding) throw new Error('There is no embedding model.');
  const item = await makeItem(database);
  const sourceIds = await giveDocuments(database, item, collection.documents);
  const documentOf = new Map(sourceIds.map((id, at) => [id, collection.documents[at]?.id ?? '']));
  const realtime = { toAgentWatchers: () => undefined } as never;
  const started = performance.now();
  await startEmbedWork({ db: database, log, realtime, embedding }).soon(item);
  const seconds = (performance.now() - started) / 1000;
  const qualities = new Map<string, number[]>();
  const times = { asked: [] as number[], found: [] as number[] };
  for (const { text, judgements } of collection.queries) {
    const asked = performance.now();
    const vector = await vectorOf({ embedding }, item.organizationId, text);
    times.asked.push(performance.now() - asked);
    if (!vector) throw new Error('A question was not embedded in time.');
    const variants = [
      ['words', undefined],
      ['vectors', 1],
      ...weights.map((weight) => [`+${weight}`, weight]),
    ] as const;
    for (const [name, weight] of variants) {
      const begun = performance.now();
      const ranking = await rank(
        database,
        item,
        text,
        weight === undefined ? undefined : { ...vector, weight: Number(weight) },
      );
      if (weight === weights[0]) times.found.push(performance.now() - begun);
      const { ndcg10 } = judge(
        ranking.map((id) => documentOf.get(id) ?? ''),
        judgements,
      );
      qualities.set(String(name), [...(qualities.get(String(name)) ?? []), ndcg10]);
    }
  }
  await embedding.embedder.close();
  return {
    collection: collection.name,
    model: embedding.embedder.name,
    ...Object.fromEntries([...qualities].map(([name, all]) => [name, Number(mean(all).toFixed(4))])),
    'ms to embed': Number(percentile(times.asked, 0.5).toFixed(2)),
    'ms p50': Number(percentile(times.found, 0.5).toFixed(2)),
    'ms p95': Number(percentile(times.found, 0.95).toFixed(2)),
    'embed s': Number(seconds.toFixed(2)),
  };
}

async function rank(
  database: Database,
  item: ItemKey,
  question: string,
  vector: QuestionVector | undefined,
): Promise<string[]> {
  const { passages } = await database.in({ organizationId: item.organizationId }, (tx) =>
    search(readerIn(tx, item), question, { limit: DEPTH, vector }),
  );
  return [...new Set(passages.map(({ sourceId }) => sourceId))];
}
