import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Database } from '../src/server/db/scope.ts';
import { listIndexes } from '../src/server/db/vector-extension.ts';
import type { ItemKey } from '../src/server/features/knowledge/keys.ts';
import { vectorIndexKeeper } from '../src/server/features/knowledge/vectors/keep-vector-index.ts';
import { readSimilar, writeVectors } from '../src/server/features/knowledge/vectors/vector-store.ts';
import { bitsOf, bytesOf } from '../src/server/features/knowledge/vectors/vectors.ts';
import type { Vector } from '../src/server/llm/embed.ts';
import { createLog } from '../src/server/log.ts';
import { givePassages, makeItem, openBenchDatabase, openBenchDatabaseAt } from './retrieval-agent.ts';
import { mean, percentile } from './retrieval-metrics.ts';

/**
 * Speed of vector search, and how many of the ten nearest passages it finds, compared with an exhaustive comparison at
 * full precision: `node bench/vectors.ts [--chunks 10000,100000] [--dimensions 384,1536] [--database <url>] [--others
 * 0]`. On a server with pgvector both ways are measured, question by question: comparing all of the agent's passages,
 * and by the index. `--others` is how many passages other agents have, a thousand each, on the same topics. The vectors
 * are made up, in clusters like those of texts; how well a model understands text is measured by `bench/retrieval.ts
 * --embedding`, not here.
 */
const { values } = parseArgs({
  options: {
    chunks: { type: 'string', default: '10000,100000' },
    dimensions: { type: 'string', default: '384,1536' },
    database: { type: 'string' },
    others: { type: 'string', default: '0' },
  },
});

const MODEL = 'bench/made-up';
const QUESTIONS = 100;
/** An exhaustive comparison is slow. */
const QUESTIONS_COMPARED = 20;
const WORDS_BEST = 12;
const BATCH = 500;
const OTHERS_HAVE = 1000;

type Path = 'exact' | 'index';
/** The passage count reported for the agent, which selects the path. */
const SAID: Record<Path, number> = { exact: 0, index: Infinity };

/** The same numbers on every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Of length 1; each number is normally distributed around that of `near`. */
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

/** What the vectors of all agents cluster around. */
function topicsOf(random: () => number, dimensions: number): Vector[] {
  return Array.from({ length: 300 }, () => makeVector(random, dimensions));
}

function vectorOn(topics: Vector[], random: () => number, dimensions: number): Vector {
  return makeVector(random, dimensions, topics[Math.floor(random() * topics.length)], 0.8);
}

async function giveVectors(database: Database, item: ItemKey, dimensions: number): Promise<Given[]> {
  const random = createRandom(dimensions);
  const topics = topicsOf(random, dimensions);
  const { rows } = await database.owner.query<{ id: string; number: string }>(
    'select id, number from chunk where agent_id = $1 order by number',
    [item.agentId],
  );
  const given = rows.map(({ id, number }) => ({
    chunkId: id,
    number: Number(number),
    vector: vectorOn(topics, random, dimensions),
  }));
  for (let at = 0; at < given.length; at += BATCH)
    await database.in(item, (tx) => writeVectors(tx, item, MODEL, given.slice(at, at + BATCH)));
  await giveOthers(database, { topics, random, dimensions });
  await database.owner.query('vacuum analyze chunk_vector');
  await database.owner.query('analyze chunk');
  return given;
}

/** Vectors only, of nonexistent agents: they just get in the way. */
async function giveOthers(
  { owner }: Database,
  { topics, random, dimensions }: { topics: Vector[]; random: () => number; dimensions: number },
): Promise<void> {
  const client = await owner.connect();
  await client.query(`set session_replication_role = replica`);
  for (let at = 0; at < Number(values.others); at += BATCH) {
    const agent = `other-${Math.floor(at / OTHERS_HAVE)}`;
    const vectors = Array.from({ length: BATCH }, () => vectorOn(topics, random, dimensions));
    await client.query(
      `insert into chunk_vector (chunk_id, organization_id, agent_id, model, bits, vector)
       select $1 || '-' || place, $1, $1, $2, bits::varbit, vector
       from unnest($3::text[], $4::bytea[]) with ordinality as given(bits, vector, number), lateral (select number + $5 as place) as p`,
      [agent, MODEL, vectors.map(bitsOf), vectors.map(bytesOf), at],
    );
  }
  client.release(true);
}

function nearest(given: Given[], asked: Vector): number[] {
  const scored = given.map(({ number, vector }) => {
    let similarity = 0;
    for (let at = 0; at < vector.length; at += 1) similarity += (vector[at] ?? 0) * (asked[at] ?? 0);
    return { number, similarity };
  });
  return scored
    .toSorted((a, b) => b.similarity - a.similarity)
    .slice(0, 10)
    .map(({ number }) => number);
}

interface Built {
  'build s': number;
  'index MB': number;
}

/** Undefined: the server can't have an index. */
async function buildIndex({ owner, ...database }: Database, dimensions: number): Promise<Built | undefined> {
  const keep = vectorIndexKeeper(
    { db: { owner, ...database }, log: createLog({ logLevel: 'error' }) },
    { name: MODEL, dimensions: () => dimensions },
    { signal: new AbortController().signal, large: 0 },
  );
  const started = performance.now();
  await keep();
  const seconds = (performance.now() - started) / 1000;
  const [index] = await listIndexes(owner);
  if (!index) return undefined;
  const { rows } = await owner.query<{ bytes: string }>(`select pg_relation_size($1) as bytes`, [index.name]);
  return { 'build s': rounded(seconds), 'index MB': rounded(Number(rows[0]?.bytes) / 1024 ** 2) };
}

const rounded = (value: number, digits = 1): number => Number(value.toFixed(digits));

/** Asks each question by each path in succession, so that all paths run next to the same other work. */
async function askAll(database: Database, item: ItemKey, given: Given[], paths: Path[]) {
  const random = createRandom(7);
  const dimensions = given[0]?.vector.length ?? 0;
  const times: Record<Path, number[]> = { exact: [], index: [] };
  const recalls: Record<Path, number[]> = { exact: [], index: [] };
  for (let at = 0; at < QUESTIONS; at += 1) {
    const near = given[Math.floor(random() * given.length)]?.vector;
    const vector = makeVector(random, dimensions, near, 0.8);
    const also = given.slice(at * WORDS_BEST, (at + 1) * WORDS_BEST).map(({ number }) => number);
    const right = at < QUESTIONS_COMPARED ? new Set(nearest(given, vector)) : undefined;
    for (const path of paths) {
      const asked = performance.now();
      const among = { also, passages: SAID[path] };
      const found = await database.in(item, (tx) => readSimilar(tx, item, { model: MODEL, vector }, among));
      times[path].push(performance.now() - asked);
      const best = [...found].toSorted((a, b) => b[1] - a[1]).slice(0, 10);
      if (right) recalls[path].push(best.filter(([number]) => right.has(number)).length / 10);
    }
  }
  return { times, recalls };
}

async function measure(database: Database, item: ItemKey, dimensions: number) {
  const started = performance.now();
  const given = await giveVectors(database, item, dimensions);
  const seconds = (performance.now() - started) / 1000;
  const { rows } = await database.owner.query<{ bytes: string; rows: string }>(
    `select pg_total_relation_size('chunk_vector') as bytes, (select count(*) from chunk_vector) as rows`,
  );
  const built = await buildIndex(database, dimensions);
  const paths: Path[] = built ? ['exact', 'index'] : ['exact'];
  const { times, recalls } = await askAll(database, item, given, paths);
  return paths.map((path) => ({
    chunks: given.length,
    others: Number(values.others),
    dimensions,
    path,
    'ms p50': rounded(percentile(times[path], 0.5)),
    'ms p95': rounded(percentile(times[path], 0.95)),
    'recall@10': rounded(mean(recalls[path]), 3),
    'store s': rounded(seconds),
    'KB a chunk': rounded(Number(rows[0]?.bytes) / 1024 / Number(rows[0]?.rows)),
    ...(path === 'index' ? built : {}),
  }));
}

const rows = [];
for (const chunks of values.chunks.split(',').map(Number)) {
  for (const dimensions of values.dimensions.split(',').map(Number)) {
    const bench = values.database ? await openBenchDatabaseAt(values.database) : await openBenchDatabase();
    try {
      const item = await makeItem(bench.database);
      await givePassages(bench.database, item, chunks);
      rows.push(...(await measure(bench.database, item, dimensions)));
      console.table(rows.slice(-2));
    } finally {
      await bench.close();
    }
  }
}
if (rows.every(({ path }) => path === 'exact')) console.log('No index: the server has no pgvector 0.8.');
console.table(rows);
const results = path.join(import.meta.dirname, 'results');
await mkdir(results, { recursive: true });
await writeFile(
  path.join(results, 'vectors.json'),
  `${JSON.stringify({ measuredAt: new Date().toISOString(), rows }, null, 2)}\n`,
);
