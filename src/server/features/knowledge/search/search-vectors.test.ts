import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { embeddedAgents } from '../../../../../test/embedded-agent.ts';
import { startProduct, type Product } from '../../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../../test/stand-ins/provider.ts';
import { EMBED_SWEEP_MS } from '../vectors/embed.ts';

let provider: Provider;
let product: Product;
let organizationId: string;

beforeAll(async () => {
  provider = await startProvider({ pieces: ['Yes [1].'] });
  const access = { apiKey: 'sk', baseUrl: provider.baseUrl };
  product = await startProduct({
    providers: { openai: { ...access, model: 'stand-in' } },
    embedding: {
      ...access,
      provider: 'openai',
      model: 'meaning-1',
      dimensions: undefined,
      weight: 0.2,
      support: 0.85,
    },
  });
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

async function embedded(agentId: string): Promise<void> {
  await expect
    .poll(async () => {
      const { chunks, vectors } = await stored(agentId);
      return chunks > 0 && chunks === vectors;
    })
    .toBe(true);
}

async function reasonOf(id: string, knowledgeId: string): Promise<string> {
  await expect.poll(async () => (await read(id, knowledgeId)).progress.error).not.toBeNull();
  return (await read(id, knowledgeId)).progress.error ?? '';
}

const ask = async (id: string, question: string) =>
  (await product.as('ada').knowledge.tryQuestion({ id, question })).retrieval;

test('a passage with no word of the question is found by meaning, and the answer cites it', async () => {
  const id = await makeAgent();
  const item = await add(id, 'Refunds reach your account within nine days.');
  await add(id, 'The museum opens at ten.');
  await embedded(id);
  const { passages, support } = await ask(id, 'Reimbursement?');
  expect(passages[0]).toMatchObject({ knowledgeId: item, keywordScore: 0, matchedTerms: [] });
  expect(passages[0]?.similarity).toBeGreaterThan(passages[1]?.similarity ?? 1);
  expect(support).toBe(0);
  const bob = product.as('bob', 'guest');
  const { conversation } = await bob.chat.create({ chatbotId: id });
  const { answer } = await bob.chat.send({ id: conversation.id, text: 'Reimbursement?' });
  expect(answer.citations[0]).toMatchObject({ knowledgeId: item });
});

test('words still decide alongside a vector, and both scores are returned', async () => {
  const id = await makeAgent();
  const exact = await add(id, 'The bicycle lamp X200 has a warranty of two years.');
  await add(id, 'A bike helmet is given to every velocipede rider.');
  await embedded(id);
  const { passages } = await ask(id, 'Which warranty has the X200?');
  expect(passages[0]?.knowledgeId).toBe(exact);
  expect(passages[0]?.keywordScore).toBeGreaterThan(0);
  expect(passages[0]?.similarity).toBeGreaterThan(0);
});

test('a model that is down leaves an item ready, with the reason, and the vectors follow automatically', async () => {
  const id = await makeAgent();
  provider.embedding = { status: 500 };
  const item = await add(id, 'Dogs are welcome in the café.');
  expect(await reasonOf(id, item)).toMatch(/by its words only.*answered 500/);
  expect((await ask(id, 'Are dogs welcome?')).passages).toMatchObject([{ similarity: null }]);
  provider.embedding = {};
  await expect.poll(() => stored(id), { timeout: 2 * EMBED_SWEEP_MS }).toMatchObject({ vectors: 1 });
  await expect
    .poll(async () => (await read(id, item)).progress)
    .toMatchObject({ state: 'ready', error: null });
});

test('changed passages get new vectors, and deleted ones leave none', async () => {
  const ada = product.as('ada');
  const id = await makeAgent();
  const item = await add(id, 'Repay the loan.');
  await embedded(id);
  expect((await ask(id, 'Cashback?')).passages).toHaveLength(1);
  await ada.knowledge.update({ id, organizationId, knowledgeId: item, description: 'The doctor is in.' });
  await expect.poll(async () => (await ask(id, 'Medic?')).passages[0]?.similarity ?? 0).toBeGreaterThan(0.3);
  expect(await stored(id)).toMatchObject({ chunks: 1, vectors: 1 });
  await ada.knowledge.remove({ id, knowledgeId: item });
  expect(await stored(id)).toEqual({ chunks: 0, vectors: 0, models: null });
});

test('a question waits only briefly for its vector, and holds no connection meanwhile', async () => {
  const id = await makeAgent();
  await add(id, 'The library lends books.');
  await embedded(id);
  provider.embedding = { hang: true };
  const started = performance.now();
  const questions = Array.from({ length: 12 }, (_, at) => ask(id, `Which books, number ${at}?`));
  await new Promise((resolve) => setTimeout(resolve, 500));
  const meanwhile = performance.now();
  await product.app.deps.db.in({ organizationId }, async (tx) => tx.$client.query('select 1'));
  expect(performance.now() - meanwhile).toBeLessThan(500);
  const found = await Promise.all(questions);
  expect(performance.now() - started).toBeLessThan(4000);
  expect(found.every(({ passages }) => passages[0]?.similarity === null)).toBe(true);
  const next = performance.now();
  expect((await ask(id, 'Which books again?')).passages).toHaveLength(1);
  expect(performance.now() - next).toBeLessThan(1000);
});
