import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { embeddedAgents } from '../../../../../test/embedded-agent.ts';
import { startProduct, type Product } from '../../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../../test/stand-ins/provider.ts';
import type { EmbeddingConfig } from '../../../config/models.ts';
import type { Deps } from '../../../deps.ts';
import { openEmbedding } from '../../../llm/embedding.ts';
import { startEmbedWork } from './embed.ts';
import { readerIn, search, vectorOf } from '../search.ts';

let provider: Provider;
let product: Product;
let organizationId: string;

const configured = (changes: Partial<EmbeddingConfig> = {}): EmbeddingConfig => ({
  provider: 'openai',
  model: 'meaning-1',
  apiKey: 'sk',
  baseUrl: provider.baseUrl,
  dimensions: undefined,
  weight: 0.2,
  support: 0.85,
  ...changes,
});

beforeAll(async () => {
  provider = await startProvider({ pieces: ['Yes.'] });
  product = await startProduct();
  organizationId = (await product.as('ada').organization.create({ name: 'Acme' })).organization.id;
});
beforeEach(() => {
  provider.embedding = {};
  provider.embeddingRequests.length = 0;
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

const { makeAgent, read, add, stored } = embeddedAgents(() => ({ product, organizationId }));

async function reasonOf(id: string, knowledgeId: string): Promise<string | null> {
  return (await read(id, knowledgeId)).progress.error;
}

/** The product's embedding with its own model, as a process with this configuration runs it. */
async function start(changes: Partial<EmbeddingConfig> = {}) {
  const embedding = await openEmbedding(configured(changes), product.app.deps.log);
  const deps: Deps = { ...product.app.deps, embedding };
  const find = async (id: string, question: string) => {
    const key = { organizationId, agentId: id };
    const vector = await vectorOf(deps, organizationId, question);
    return deps.db.in(key, (tx) => search(readerIn(tx, key), question, { limit: 5, vector }));
  };
  const work = startEmbedWork(deps);
  return { deps, work, find, embed: (agentId: string) => work.soon({ organizationId, agentId }) };
}

const write = (statement: string, values: unknown[]) => product.app.deps.db.owner.query(statement, values);

/** Turns the passages with these words into ones that contain `Forbidden`. */
async function refuse(agentId: string, words: string): Promise<void> {
  await write(
    `update chunk set text = 'Forbidden ' || text where agent_id = $1 and position($2 in text) > 0`,
    [agentId, words],
  );
}

/** Simulates that rejected passages have waited for these minutes; returns how many times the first was rejected. */
async function passMinutes(agentId: string, minutes: number): Promise<number> {
  const { rows } = await write(
    `update chunk set ask_again_at = ask_again_at - make_interval(mins => $2) where agent_id = $1
     returning refused_times as times`,
    [agentId, minutes],
  );
  return (rows as { times: number }[])[0]?.times ?? 0;
}

/** This many passages, each about its own number. */
const longText = (passages: number) =>
  Array.from({ length: passages }, (_, at) => `# Part ${at}\n\n${`Part ${at} is long. `.repeat(20)}`).join(
    '\n\n',
  );

test('a very similar passage supports a question whose words it lacks', async () => {
  const id = await makeAgent();
  await add(id, 'Canine physician');
  const { embed, find } = await start();
  await embed(id);
  expect((await find(id, 'What is a dog doctor?')).support).toBeGreaterThan(0.85);
  expect((await find(id, 'How old is the oldest dog in Lisbon?')).support).toBe(0);
});

test('a model that asks for a delay gets it', async () => {
  const id = await makeAgent();
  const item = await add(id, 'The tower has 300 steps.');
  provider.embedding = { status: 429, retryAfter: '1', times: 2 };
  const { embed } = await start();
  const started = performance.now();
  await embed(id);
  expect(performance.now() - started).toBeGreaterThan(1900);
  expect(provider.embeddingRequests).toHaveLength(3);
  expect(await stored(id)).toMatchObject({ vectors: 1 });
  expect(await reasonOf(id, item)).toBeNull();
});

test.each([
  ['no number', { fault: 'null' as const }, /returned no vectors/],
  ['nothing but zeros', { fault: 'zero' as const }, /empty vector/],
  ['fewer vectors than texts', { fault: 'fewer' as const }, /gave 2 vectors for 3 texts/],
  ['a vector of another size', { fault: 'shorter' as const }, /63 numbers where 64 were expected/],
  ['vectors of another size than told', { dimensions: 32 }, /32 numbers where 64 were expected/],
  ['a wish to be left alone for an hour', { status: 429, retryAfter: '3600' }, /is overloaded/],
  ['no word for who asks', { status: 401 }, /answered 401/],
])('a model that answers with %s leaves a reason, and nothing else', async (_what, script, reason) => {
  const id = await makeAgent();
  const item = await add(id, longText(3));
  const { embed } = await start({ dimensions: 64 });
  provider.embedding = script;
  await embed(id);
  expect(await reasonOf(id, item)).toMatch(reason);
  expect(await stored(id)).toEqual({ chunks: 3, vectors: 0, models: null });
  provider.embedding = {};
  await embed(id);
  expect(await stored(id)).toEqual({ chunks: 3, vectors: 3, models: ['openai/meaning-1@64'] });
  expect(await reasonOf(id, item)).toBeNull();
});

test('rejected texts do not keep the others from their vectors, at any position', async () => {
  const id = await makeAgent();
  const item = await add(id, longText(5));
  for (const refused of ['Part 0 is', 'Part 1 is', 'Part 2 is']) await refuse(id, refused);
  const { embed } = await start({ model: 'choosy' });
  provider.embedding = { refused: 'Forbidden' };
  await embed(id);
  expect(await reasonOf(id, item)).toMatch(/refuses some of its passages.*answered 400.*asked again/);
  expect(await stored(id)).toMatchObject({ chunks: 5, vectors: 2 });
});

test('a rejected passage waits longer each time, and is given up until its item changes', async () => {
  const id = await makeAgent();
  const item = await add(id, 'Unspeakable words.');
  const { embed, work } = await start({ model: 'strict' });
  provider.embedding = { refused: 'Unspeakable' };
  await embed(id);
  const offered = () =>
    provider.embeddingRequests.filter(({ input }) => input[0]?.includes('Unspeakable')).length;
  for (const [at, minutes] of [1, 10, 60, 360].entries()) {
    const before = offered();
    await work.sweep();
    await embed(id);
    expect(offered()).toBe(before);
    expect(await reasonOf(id, item)).toMatch(/It will be asked again/);
    expect(await passMinutes(id, minutes)).toBe(at + 1);
    await work.sweep();
    expect(offered()).toBeGreaterThan(before);
  }
  provider.embeddingRequests.length = 0;
  expect(await passMinutes(id, 1e6)).toBe(5);
  await work.sweep();
  expect(offered()).toBe(0);
  expect(await reasonOf(id, item)).toMatch(/answered 400. It is not asked again until the item or the model/);
  await (await start({ model: 'lenient' })).embed(id);
  expect(await reasonOf(id, item)).toMatch(/It will be asked again/);
  provider.embedding = {};
  await passMinutes(id, 1);
  await (await start({ model: 'lenient' })).work.sweep();
  expect(await stored(id)).toEqual({ chunks: 1, vectors: 1, models: ['openai/lenient'] });
  expect(await reasonOf(id, item)).toBeNull();
});

test('a model that rejects every text is not mistaken for one that rejects a passage', async () => {
  const id = await makeAgent();
  const item = await add(id, 'The pool is closed.');
  provider.embedding = { status: 400 };
  const { embed, work } = await start({ model: 'misnamed' });
  await embed(id);
  expect(await reasonOf(id, item)).toMatch(/for now: .*answered 400/);
  provider.embedding = {};
  await work.sweep();
  expect(await stored(id)).toMatchObject({ chunks: 1, vectors: 1 });
});

test('of many agents waiting for a model that is down, one finds out and all are told', async () => {
  const ids = [await makeAgent(), await makeAgent(), await makeAgent()];
  const items = [];
  for (const id of ids) items.push(await add(id, 'The pool is closed.'));
  provider.embedding = { status: 500 };
  const { embed } = await start({ model: 'down' });
  await Promise.all(ids.map(embed));
  expect(provider.embeddingRequests).toHaveLength(1);
  for (const [at, id] of ids.entries()) expect(await reasonOf(id, items[at] ?? '')).toMatch(/answered 500/);
});

test('a sweep finds passages without a vector and leaves the others alone', async () => {
  const id = await makeAgent();
  await add(id, longText(4));
  const { work } = await start({ model: 'swept' });
  await work.sweep();
  expect(await stored(id)).toEqual({ chunks: 4, vectors: 4, models: ['openai/swept'] });
  provider.embeddingRequests.length = 0;
  await work.sweep();
  expect(provider.embeddingRequests).toEqual([]);
});

test('work done before a stop is not repeated after it', async () => {
  const id = await makeAgent();
  await add(id, longText(150));
  provider.embedding = { afterMs: 100 };
  const access = { provider: 'compatible' as const, model: 'resumed' };
  const first = await start(access);
  const run = first.embed(id);
  await expect.poll(async () => (await stored(id)).vectors, { interval: 10 }).toBeGreaterThan(0);
  await first.work.stop();
  await run;
  const { chunks, vectors } = await stored(id);
  expect(vectors).toBeLessThan(chunks);
  provider.embeddingRequests.length = 0;
  await (await start(access)).embed(id);
  expect(await stored(id)).toMatchObject({ chunks, vectors: chunks });
  expect(provider.embeddingRequests.flatMap(({ input }) => input)).toHaveLength(chunks - vectors);
});

test('another model’s vectors are not compared, and are replaced', async () => {
  const id = await makeAgent();
  await add(id, 'A puppy sleeps a lot.');
  await (await start()).embed(id);
  const { embed, find } = await start({ model: 'meaning-2', dimensions: 32 });
  expect((await find(id, 'Canine?')).passages).toEqual([]);
  await embed(id);
  expect((await find(id, 'Canine?')).passages).toHaveLength(1);
  expect(await stored(id)).toEqual({ chunks: 1, vectors: 1, models: ['openai/meaning-2@32'] });
});

test('a passage deleted while its vector is computed leaves nothing', async () => {
  const id = await makeAgent();
  const item = await add(id, longText(3));
  provider.embedding = { afterMs: 300 };
  const { embed } = await start();
  const run = embed(id);
  await expect.poll(() => provider.embeddingRequests.length).toBe(1);
  await product.as('ada').knowledge.remove({ id, knowledgeId: item });
  await run;
  expect(await stored(id)).toEqual({ chunks: 0, vectors: 0, models: null });
});

test('a vector finds nothing of another agent or organization', async () => {
  const id = await makeAgent();
  await add(id, 'Hounds may bathe in the lake.');
  const eve = product.as('eve');
  const theirs = (await eve.organization.create({ name: 'Other' })).organization.id;
  const spy = (await eve.chatbot.create({ organizationId: theirs, name: 'Spy' })).chatbot.id;
  const sister = await makeAgent();
  const { deps, embed, find } = await start();
  await embed(id);
  expect((await find(id, 'Canine?')).passages).toHaveLength(1);
  const vector = await vectorOf(deps, theirs, 'Canine?');
  expect(vector).toBeDefined();
  for (const key of [
    { organizationId: theirs, agentId: spy },
    { organizationId: theirs, agentId: id },
    { organizationId, agentId: sister },
  ]) {
    const found = await deps.db.in(key, (tx) => search(readerIn(tx, key), 'Canine?', { limit: 5, vector }));
    expect(found.passages).toEqual([]);
  }
});
