import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createTestDatabase } from '../../../../../test/database.ts';
import { administer, withDatabase } from '../../../../../test/database-server.ts';
import { startDebianPostgres, whyNoDebianPostgres } from '../../../../../test/debian-postgres.ts';
import { connect, type OpenDatabase } from '../../../db/open.ts';
import { indexNameOf, LARGE_AGENT, listIndexes } from '../../../db/vector-extension.ts';
import { newId } from '../../../id.ts';
import { createLog } from '../../../log.ts';
import type { Vector } from '../../../llm/embed.ts';
import { planIndexes, vectorIndexKeeper } from './keep-vector-index.ts';
import type { AgentKey } from '../keys.ts';
import { CANDIDATES, createIndexSql, enterIndex, leaveIndex, nearestByIndexSql } from './vector-index.ts';
import { readSimilar } from './vector-store.ts';
import { bitsOf, bytesOf } from './vectors.ts';

const log = createLog({ logLevel: 'silent' });
const name = `parley_vectors_${randomBytes(6).toString('hex')}`;
const MODEL = 'stand-in/meaning';
const DIMENSIONS = 64;

let server: string;
let stopServer: () => Promise<void>;
let open: OpenDatabase;
let random = 7;

const reason = whyNoDebianPostgres();
if (reason)
  process.stdout.write(`The index over vectors is not tried on a server with pgvector: ${reason}.\n`);
const testIndex = test.skipIf(reason !== undefined);

beforeAll(async () => {
  const withVectors = reason === undefined && (await startDebianPostgres());
  server = withVectors ? withVectors.url : inject('databaseUrl');
  stopServer = withVectors ? withVectors.stop : async () => {};
  await administer(server, `create database ${name}`);
  open = await connect(withDatabase(server, name), { databasePoolSize: 4 }, log);
});
afterAll(async () => {
  await open.close();
  await administer(server, `drop database if exists ${name} with (force)`);
  await stopServer();
});

function makeVector(dimensions = DIMENSIONS): Vector {
  return Float32Array.from({ length: dimensions }, () => {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    return (random / 2 ** 31 - 1) / Math.sqrt(dimensions / 3);
  });
}

/** An agent with this many passages, written as rows: they belong to no source, and only have a vector. */
async function makeAgent(count: number, { pools } = open): Promise<AgentKey> {
  const key = { organizationId: newId('organization'), agentId: newId('agent') };
  const vectors = Array.from({ length: count }, () => makeVector());
  const client = await pools.owner.connect();
  await client.query('begin; set local session_replication_role = replica');
  const { rows } = await client.query<{ id: string }>(
    `insert into index_block (organization_id, agent_id, knowledge_id, chunk_count, word_count, languages)
     values ($1, $2, $2, $3, 0, '{}') returning id`,
    [key.organizationId, key.agentId, count],
  );
  await client.query(
    `with given as (
       select $2 || '-' || at as id, bits::varbit, vector, at
       from unnest($5::text[], $6::bytea[]) with ordinality as given(bits, vector, at)),
     chunks as (
       insert into chunk (id, number, organization_id, agent_id, source_id, block_id, ordinal, text, "offset")
       select id, nextval('chunk_number'), $1, $2, $2, $3::bigint, at, '', 0 from given)
     insert into chunk_vector (chunk_id, organization_id, agent_id, model, bits, vector)
     select id, $1, $2, $4, bits, vector from given`,
    [key.organizationId, key.agentId, rows[0]?.id, MODEL, vectors.map(bitsOf), vectors.map(bytesOf)],
  );
  await client.query('commit');
  client.release();
  return key;
}

function keeper(
  { large = 500, signal = new AbortController().signal, dimensions = DIMENSIONS } = {},
  { database } = open,
) {
  return vectorIndexKeeper(
    { db: database, log },
    { name: MODEL, dimensions: () => dimensions },
    { large, signal },
  );
}

const find = (key: AgentKey, vector: Vector, passages: number) =>
  open.database.in(key, (tx) => readSimilar(tx, key, { model: MODEL, vector }, { also: [], passages }));

const indexes = () => listIndexes(open.pools.owner);

const valid = (dimensions: number) => ({ name: indexNameOf(dimensions), dimensions, isValid: true });

test('an index is created for a large agent’s vector length, once', () => {
  const large = { vectors: LARGE_AGENT + 1, dimensions: 384 };
  expect(planIndexes([], large)).toEqual({ drop: [], make: 384 });
  expect(planIndexes([valid(384)], large)).toEqual({ drop: [], make: undefined });
  expect(planIndexes([], { ...large, vectors: LARGE_AGENT })).toEqual({ drop: [], make: undefined });
  expect(planIndexes([], undefined)).toEqual({ drop: [], make: undefined });
});

test('an unfinished index is recreated, and one of another length is dropped', () => {
  const large = { vectors: LARGE_AGENT + 1, dimensions: 384 };
  const broken = { ...valid(384), isValid: false };
  expect(planIndexes([broken], large)).toEqual({ drop: ['chunk_vector_bits_384'], make: 384 });
  expect(planIndexes([valid(1536)], large)).toEqual({ drop: ['chunk_vector_bits_1536'], make: 384 });
});

test('an index stays until the largest agent is down to half the large size', () => {
  const smaller = { vectors: LARGE_AGENT / 2 + 1, dimensions: 384 };
  expect(planIndexes([valid(384)], smaller)).toEqual({ drop: [], make: undefined });
  const small = { vectors: LARGE_AGENT / 2, dimensions: 384 };
  expect(planIndexes([valid(384)], small)).toEqual({ drop: ['chunk_vector_bits_384'], make: undefined });
});

test('the statements contain the vector length and the extension’s schema', () => {
  expect(createIndexSql(384, 'extensions')).toMatch(
    /create index concurrently chunk_vector_bits_384 .*\n.*hnsw \(\(bits::bit\(384\)\) extensions\.bit_hamming_ops\) where length\(bits\) = 384$/,
  );
  expect(nearestByIndexSql(384, 'extensions')).toContain(
    `order by bits::bit(384) operator(extensions.<~>) $5::bit(384) limit ${CANDIDATES}`,
  );
});

test('without an index all passages of a large agent are compared', async () => {
  const key = await makeAgent(300);
  const vector = makeVector();
  expect(await open.database.in(key, (tx) => enterIndex(tx, DIMENSIONS))).toBeUndefined();
  const found = await find(key, vector, Infinity);
  expect(found.size).toBe(CANDIDATES);
  expect(found).toEqual(await find(key, vector, 0));
});

test('a server without the extension gets no index, and no error', async () => {
  const { url, drop } = await createTestDatabase();
  const without = await connect(url, { databasePoolSize: 2 }, log);
  try {
    await makeAgent(600, without);
    await keeper({}, without)();
    expect(await listIndexes(without.pools.owner)).toEqual([]);
  } finally {
    await without.close();
    await drop();
  }
});

testIndex('an agent that becomes large gets an index, and its passages are found by it', async () => {
  const key = await makeAgent(2000);
  await makeAgent(2000);
  await keeper()();
  expect(await indexes()).toEqual([valid(DIMENSIONS)]);
  await open.pools.owner.query('vacuum analyze chunk_vector');
  const plan = await open.database.in(key, async (tx) => {
    const schema = (await enterIndex(tx, DIMENSIONS)) ?? '';
    const values = [key.agentId, key.organizationId, MODEL, 0, bitsOf(makeVector())];
    const { rows } = await tx.$client.query<Record<string, string>>(
      `explain with n as (${nearestByIndexSql(DIMENSIONS, schema)}) select *, $4::int from n`,
      values,
    );
    await leaveIndex(tx);
    const sorting = await tx.$client.query<{ enable_sort: string }>('show enable_sort');
    expect(sorting.rows).toEqual([{ enable_sort: 'on' }]);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).toContain(`Index Scan using ${indexNameOf(DIMENSIONS)}`);
  let same = 0;
  for (let at = 0; at < 10; at += 1) {
    const vector = makeVector();
    const best = (found: Map<number, number>) =>
      [...found]
        .toSorted((a, b) => b[1] - a[1])
        .slice(0, 10)
        .map(([number]) => number);
    const exact = best(await find(key, vector, 0));
    same += best(await find(key, vector, Infinity)).filter((number) => exact.includes(number)).length;
  }
  expect(same).toBeGreaterThan(80);
});

testIndex('nobody finds passages of another organization by the index', async () => {
  const theirs = await makeAgent(1000);
  const stranger = { ...theirs, organizationId: newId('organization') };
  const asked = { model: MODEL, vector: makeVector() };
  const found = await open.database.in(stranger, (tx) =>
    readSimilar(tx, theirs, asked, { also: [], passages: Infinity }),
  );
  expect(found.size).toBe(0);
});

testIndex('an agent of which the index brings too little has all of its passages compared', async () => {
  const few = await makeAgent(CANDIDATES - 50);
  const vector = makeVector();
  expect(await find(few, vector, Infinity)).toEqual(await find(few, vector, 0));
  expect((await find(few, vector, Infinity)).size).toBe(CANDIDATES - 50);
});

testIndex('an index whose making was ended is made anew, and two processes make one', async () => {
  await open.pools.owner.query('update pg_index set indisvalid = false where indexrelid = $1::regclass', [
    indexNameOf(DIMENSIONS),
  ]);
  expect(await indexes()).toMatchObject([{ isValid: false }]);
  await Promise.all([keeper()(), keeper()()]);
  expect(await indexes()).toEqual([valid(DIMENSIONS)]);
});

testIndex('with another length of vectors, or no large agent any more, the index goes', async () => {
  await keeper({ large: 1_000_000 })();
  expect(await indexes()).toEqual([]);
});

testIndex('a process that stops does not wait until an index is made', async () => {
  const stopping = new AbortController();
  // Building an index concurrently waits for writers.
  const writer = await open.pools.background.connect();
  await writer.query('begin; lock table chunk_vector in row exclusive mode');
  const work = keeper({ signal: stopping.signal })();
  await expect.poll(async () => (await indexes()).length).toBe(1);
  stopping.abort();
  await work;
  await writer.query('rollback');
  writer.release();
  expect(await indexes()).toMatchObject([{ isValid: false }]);
  await keeper()();
  expect(await indexes()).toEqual([valid(DIMENSIONS)]);
});
