import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Database } from '../src/server/db/scope.ts';
import type { ItemKey } from '../src/server/features/knowledge/keys.ts';
import { readSimilar, writeVectors } from '../src/server/features/knowledge/vector-store.ts';
import type { Vector } from '../src/server/llm/embed.ts';
import { giveDocuments, makeItem, openBenchDatabase } from './retrieval-agent.ts';
import { mean, percentile } from './retrieval-metrics.ts';

/**
 * Speed of the search by vectors, and how many of the ten nearest it finds of those that comparing everything with full
 * numbers finds: `node bench/vectors.ts [--chunks 10000,100000] [--dimensions 384,1536]`. The vectors are made up, in
 * clusters as those of texts are; what a model understands is not measured here but by `bench/retrieval.ts --embedding`.
 */
const { values } = parseArgs({
  options: {
    chunks: { type: 'string', default: '10000,100000' },
    dimensions: { type: 'string', default: '384,1536' },
  },
});

const MODEL = 'bench/made-up';
const QUESTIONS = 100;
/** Comparing everything takes its time. */
const QUESTIONS_COMPARED = 20;
const WORDS_BEST = 12;
const BATCH = 500;

/** The same numbers at each run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Of length 1; every number is the middle of a normal distribution around that of `near`. */
function makeVector(random: () => number, dimensions: number, near?: Vector, distance = 1): Vector {
  const vector = new Float32Array(dimensions);
  for (let at = 0; at < dimensions; at += 1) {
    const noise = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    vector[at] = (near?.[at] ?? 0) + (distance * noise) / Math.sqrt(dimensions);
  }
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}

interface Given {
  number: number;
  vector: Vector;
}

async function giveVectors(database: Database, item: ItemKey, dimensions: number): Promise<Given[]> {
  const random = createRandom(dimensions);
  const topics = Array.from({ length: 300 }, () => makeVector(random, dimensions));
  const { rows } = await database.owner.query<{ id: string; number: string }>(
    'select id, number from chunk where agent_id = $1 order by number',
    [item.agentId],
  );
  const given = rows.map(({ id, number }) => {
    const topic = topics[Math.floor(random() * topics.length)];
    return { chunkId: id, number: Number(number), vector: makeVector(random, dimensions, topic, 0.8) };
  });
  for (let at = 0; at < given.length; at += BATCH)
    await database.in(item, (tx) => writeVectors(tx, item, MODEL, given.slice(at, at + BATCH)));
  await database.owner.query('vacuum analyze chunk_vector');
  await database.owner.query('analyze chunk');
  return given;
}

function nearest(given: Given[], asked: Vector): number[] {
  const scored = given.map(({ number, vector }) => ({
    number,
    similarity: vector.reduce((sum, value, at) => sum + value * (asked[at] ?? 0), 0),
  }));
  return scored
    .toSorted((a, b) => b.similarity - a.similarity)
    .slice(0, 10)
    .map(({ number }) => number);
}

async function measure(database: Database, item: ItemKey, dimensions: number) {
  const started = performance.now();
  const given = await giveVectors(database, item, dimensions);
  const seconds = (performance.now() - started) / 1000;
  const random = createRandom(7);
  const times: number[] = [];
  const recalls: number[] = [];
  for (let at = 0; at < QUESTIONS; at += 1) {
    const near = given[Math.floor(random() * given.length)]?.vector;
    const vector = makeVector(random, dimensions, near, 0.8);
    const also = given.slice(at * WORDS_BEST, (at + 1) * WORDS_BEST).map(({ number }) => number);
    const asked = performance.now();
    const found = await database.in(item, (tx) => readSimilar(tx, item, { model: MODEL, vector }, also));
    times.push(performance.now() - asked);
    if (at >= QUESTIONS_COMPARED) continue;
    const best = [...found].toSorted((a, b) => b[1] - a[1]).slice(0, 10);
    const right = new Set(nearest(given, vector));
    recalls.push(best.filter(([number]) => right.has(number)).length / 10);
  }
  const { rows } = await database.owner.query<{ bytes: string }>(
    `select pg_total_relation_size('chunk_vector') as bytes`,
  );
  return {
    chunks: given.length,
    dimensions,
    'ms p50': Number(percentile(times, 0.5).toFixed(1)),
    'ms p95': Number(percentile(times, 0.95).toFixed(1)),
    'recall@10': Number(mean(recalls).toFixed(3)),
    'store s': Number(seconds.toFixed(1)),
    'KB a chunk': Number((Number(rows[0]?.bytes ?? 0) / 1024 / given.length).toFixed(1)),
  };
}

const rows = [];
for (const chunks of values.chunks.split(',').map(Number)) {
  for (const dimensions of values.dimensions.split(',').map(Number)) {
    const bench = await openBenchDatabase();
    try {
      const item = await makeItem(bench.database);
      const documents = Array.from({ length: chunks }, (_, at) => ({ title: '', text: `Passage ${at}` }));
      await giveDocuments(bench.database, item, documents);
      rows.push(await measure(bench.database, item, dimensions));
    } finally {
      await bench.close();
    }
  }
}
console.table(rows);
const results = path.join(import.meta.dirname, 'results');
await mkdir(results, { recursive: true });
await writeFile(
  path.join(results, 'vectors.json'),
  `${JSON.stringify({ measuredAt: new Date().toISOString(), rows }, null, 2)}\n`,
);
