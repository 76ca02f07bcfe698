import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Database } from '../src/server/db/scope.ts';
import type { ItemKey } from '../src/server/features/knowledge/keys.ts';
import { readerIn, search } from '../src/server/features/knowledge/search.ts';
import { giveDocuments, makeItem, openBenchDatabase } from './retrieval-agent.ts';
import { readCollection, requireFolder, type Collection } from './retrieval-collection.ts';
import { measureEmbedding, type EmbeddingRow } from './retrieval-embedding.ts';
import { judge, mean, percentile } from './retrieval-metrics.ts';

/**
 * Quality and speed of retrieval on public collections, through the product's own index and search on a dedicated
 * database: `node bench/retrieval.ts --collections <folder of collections> [--only <name>]`. Each document is a source;
 * its score is that of its best passage. With `--embedding <EMBEDDING_MODEL>` passages get vectors, and words, vectors
 * and both are compared; `{collection}` in it stands for the collection's name.
 */
const { values } = parseArgs({
  options: {
    collections: { type: 'string' },
    only: { type: 'string' },
    embedding: { type: 'string' },
  },
});
const folder = requireFolder(values.collections);

/** Passages requested: enough to include a hundred documents even when some have several. */
const DEPTH = 200;

interface Row {
  collection: string;
  'nDCG@10': number;
  'recall@10': number;
  'recall@100': number;
  'MRR@10': number;
  'ms p50': number;
  'ms p95': number;
  'index s': number;
  documents: number;
  chunks: number;
}

async function measure(database: Database, collection: Collection): Promise<Row> {
  const item = await makeItem(database);
  const started = performance.now();
  const sourceIds = await giveDocuments(database, item, collection.documents);
  const indexSeconds = (performance.now() - started) / 1000;
  const documentOf = new Map(sourceIds.map((id, at) => [id, collection.documents[at]?.id ?? '']));
  const times: number[] = [];
  const qualities = [];
  for (const query of collection.queries) {
    const asked = performance.now();
    const ranking = await rank(database, item, query.text);
    times.push(performance.now() - asked);
    qualities.push(
      judge(
        ranking.map((id) => documentOf.get(id) ?? ''),
        query.judgements,
      ),
    );
  }
  const { rows } = await database.owner.query<{ n: number }>(
    'select count(*)::int as n from chunk where agent_id = $1',
    [item.agentId],
  );
  return {
    collection: collection.name,
    'nDCG@10': round(mean(qualities.map(({ ndcg10 }) => ndcg10)), 4),
    'recall@10': round(mean(qualities.map(({ recall10 }) => recall10)), 4),
    'recall@100': round(mean(qualities.map(({ recall100 }) => recall100)), 4),
    'MRR@10': round(mean(qualities.map(({ mrr10 }) => mrr10)), 4),
    'ms p50': round(percentile(times, 0.5), 2),
    'ms p95': round(percentile(times, 0.95), 2),
    'index s': round(indexSeconds, 2),
    documents: collection.documents.length,
    chunks: rows[0]?.n ?? 0,
  };
}

/** The sources of the best passages, without duplicates. */
async function rank(database: Database, item: ItemKey, question: string): Promise<string[]> {
  const { passages } = await database.in({ organizationId: item.organizationId }, (tx) =>
    search(readerIn(tx, item), question, { limit: DEPTH }),
  );
  return [...new Set(passages.map(({ sourceId }) => sourceId))];
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

const names = (await readdir(folder, { withFileTypes: true }))
  .filter((entry) => entry.isDirectory() && (values.only === undefined || entry.name.includes(values.only)))
  .map(({ name }) => name)
  .toSorted();
const bench = await openBenchDatabase();
try {
  const rows: (Row | EmbeddingRow)[] = [];
  for (const name of names) {
    const collection = await readCollection(path.join(folder, name));
    const model = values.embedding?.replaceAll('{collection}', name);
    rows.push(
      model === undefined
        ? await measure(bench.database, collection)
        : await measureEmbedding(bench.database, collection, model),
    );
  }
  console.table(rows);
  const results = path.join(import.meta.dirname, 'results');
  await mkdir(results, { recursive: true });
  await writeFile(
    path.join(results, values.embedding === undefined ? 'retrieval.json' : 'retrieval-embedding.json'),
    `${JSON.stringify({ measuredAt: new Date().toISOString(), rows }, null, 2)}\n`,
  );
} finally {
  await bench.close();
}
