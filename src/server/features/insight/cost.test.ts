import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';

let product: Product;
let provider: Provider;
let ada: TestClient;
let organizationId: string;
let agentId: string;

const account = { provider: 'compatible' as const, models: ['small', 'large'] };
const price = { input: '0.25', cachedInput: '0.025', output: '2' };
const took = {
  prompt_tokens: 1000,
  completion_tokens: 50,
  total_tokens: 1050,
  prompt_tokens_details: { cached_tokens: 100 },
};

beforeAll(async () => {
  provider = await startProvider({ pieces: ['Nine ', 'euros.'], usage: took });
  product = await startProduct({
    providers: { openai: { apiKey: 'sk-test', baseUrl: provider.baseUrl, model: 'preset, other' } },
    modelPrices: { 'openai/preset': { input: '1', cachedInput: null, output: '1' } },
    ssrfAllowedHosts: [new URL(provider.baseUrl).host],
  });
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  await ada.model.setProvider({ organizationId, ...account, baseUrl: provider.baseUrl });
  agentId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  await ada.chatbot.update({ id: agentId, organizationId, isPublic: true });
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

const choose = (model: string, fallbacks: string[] = []) =>
  ada.chatbot.update({ id: agentId, organizationId, modelSettings: { model, fallbacks } });
const say = (prices: object[]) =>
  ada.modelPrice.set({ organizationId, provider: 'compatible', prices: prices as [] });

async function ask(client = product.as('bob')) {
  const { id } = (await client.chat.create({ chatbotId: agentId })).conversation;
  const { answer } = await client.chat.send({ id, text: 'What does it cost?' });
  return { id, messageId: answer.id };
}
const receiptOf = async (key: { id: string; messageId: string }) => (await ada.answer.receipt(key)).receipt;
const numbers = async () => (await ada.insight.get({ agentId })).insight.now;

test('an answer costs what its model cost at that moment, whatever price is set later', async () => {
  await choose('compatible/small');
  const unknown = await ask();
  expect(await receiptOf(unknown)).toMatchObject({ inputTokens: 1000, cachedTokens: 100, costUsd: null });
  await say([{ model: 'small', ...price }]);
  const known = await ask();
  expect((await receiptOf(known)).costUsd).toBe('0.0003275');
  await say([{ model: 'small', input: '1', cachedInput: null, output: '1' }]);
  expect((await receiptOf(await ask())).costUsd).toBe('0.00105');
  expect((await receiptOf(known)).costUsd).toBe('0.0003275');
  expect((await receiptOf(unknown)).costUsd).toBeNull();
  expect(await numbers()).toMatchObject({ costUsd: '0.0013775', priced: 2, unpriced: 1 });
});

test('the numbers of a person, the organization and the files agree', async () => {
  const { uid: userId } = (await product.sessionOf('bob')).user;
  const wanted = { costUsd: '0.0013775', priced: 2, unpriced: 1 };
  expect((await ada.insight.getUser({ agentId, userId })).insight.now).toMatchObject(wanted);
  const { insight } = await ada.insight.getOrganization({ organizationId });
  expect(insight.now).toMatchObject(wanted);
  expect(insight.agents[0]?.now).toMatchObject(wanted);
  const days = await ada.insight.export({ agentId });
  expect(await days.text()).toMatch(/,"costUsd"\r\n.*"0.0013775"/s);
  const agents = await ada.insight.exportOrganization({ organizationId });
  expect(await agents.text()).toContain('"0.0013775","2","1"');
});

test("the installation's models cost what its operator has set; the built-in one nothing", async () => {
  const { models } = await ada.model.list({ organizationId });
  const priceOf = (name: string) => models.find((each) => each.name === name)?.price;
  expect(priceOf('openai/preset')).toEqual({ input: '1', cachedInput: null, output: '1' });
  expect(priceOf('openai/other')).toBeNull();
  expect(priceOf('compatible/small')).toEqual({ input: '1', cachedInput: null, output: '1' });
  expect(priceOf('compatible/large')).toBeNull();
  await choose('openai/preset');
  expect((await receiptOf(await ask())).costUsd).toBe('0.00105');
  await choose('parley/extractive');
  expect((await receiptOf(await ask())).costUsd).toBe('0');
});

test('a model that failed without a word charged nothing; the cost of a broken-off answer is unknown', async () => {
  provider.scripts['large'] = { pieces: [], status: 401 };
  await say([{ model: 'small', ...price }]);
  await choose('compatible/large', ['compatible/small']);
  expect((await receiptOf(await ask())).costUsd).toBe('0.0003275');
  provider.scripts['small'] = { pieces: ['Half ', 'of it.'], cutAfter: 1, betweenPiecesMs: 50 };
  await choose('compatible/small');
  expect((await receiptOf(await ask())).costUsd).toBeNull();
  delete provider.scripts['small'];
});

test('an answer cut off by its length costs and counts as an answer, a failed one does not', async () => {
  const before = await numbers();
  provider.scripts['small'] = { pieces: ['Half ', 'of it.'], usage: took, endsFor: 'length' };
  expect((await receiptOf(await ask())).costUsd).toBe('0.0003275');
  provider.scripts['small'] = { pieces: [], endsFor: 'length' };
  await ask();
  delete provider.scripts['small'];
  const { answered, failed } = await numbers();
  expect([answered - before.answered, failed - before.failed]).toEqual([1, 1]);
});

test('a provider that makes up numbers causes no cost and blocks nobody', async () => {
  provider.scripts['small'] = { pieces: ['Fine.'], usage: { prompt_tokens: 1e30, completion_tokens: 1.5 } };
  const answered = await ask();
  expect(await receiptOf(answered)).toMatchObject({ inputTokens: null, outputTokens: null, costUsd: null });
  delete provider.scripts['small'];
  await expect(numbers()).resolves.toMatchObject({ unpriced: 3 });
});

test('prices are set only for existing models, in decimals, and deleted with them', async () => {
  for (const wrong of [
    { model: 'gone', ...price },
    { model: 'small', ...price, input: '1e3' },
    { model: 'small', ...price, output: '-1' },
    { model: 'small', ...price, cachedInput: '12345' },
  ])
    await expect(say([wrong])).rejects.toMatchObject({ status: 400 });
  await expect(ada.modelPrice.set({ organizationId, provider: 'google', prices: [] })).rejects.toMatchObject({
    status: 404,
  });
  await say([
    { model: 'small', ...price },
    { model: 'large', ...price },
  ]);
  const { provider: kept } = await ada.model.setProvider({
    organizationId,
    ...account,
    baseUrl: provider.baseUrl,
    models: ['small'],
  });
  expect(kept.prices).toEqual({ small: price });
  const { entries } = await ada.audit.list({ organizationId, action: 'modelPrice.set' });
  expect(entries[0]?.after).toEqual({ prices: { small: price, large: price } });
});
