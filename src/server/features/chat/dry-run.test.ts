import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startOpenApiService, type OpenApiService } from '../../../../test/stand-ins/openapi-service.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider, type ProviderRequest } from '../../../../test/stand-ins/provider.ts';

let product: Product;
let provider: Provider;
let service: OpenApiService;
let ada: TestClient;
let chatbotId: string;
let toolId: string;

beforeAll(async () => {
  service = await startOpenApiService();
  provider = await startProvider({ pieces: ['Done.'] });
  product = await startProduct({
    ssrfAllowedHosts: [service.host],
    providers: { openai: provider.openai },
  });
  ada = product.as('ada');
  const { id: organizationId } = (await ada.organization.create({ name: 'Acme' })).organization;
  chatbotId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  toolId = (await ada.tool.create({ organizationId, agentId: chatbotId, name: 'Shop' })).tool.id;
  await ada.tool.update({ id: toolId, schema: { url: `${service.url}/openapi.json` } });
  await ada.tool.update({
    id: toolId,
    operations: [
      { id: 'listOrders', enabled: true },
      { id: 'createOrder', enabled: true, policy: 'allow' },
      { id: 'cancelOrder', enabled: true, policy: 'ask' },
    ],
  });
});
beforeEach(() => {
  service.requests.length = 0;
  provider.requests.length = 0;
});
afterAll(async () => {
  await product.close();
  await provider.close();
  await service.close();
});

const order = { name: 'createOrder', arguments: { body: { item: 'Lamp' } } };

/** The model makes this call once, and then writes text. */
function calling(call: { name: string; arguments: unknown }): void {
  provider.script = {
    pieces: [],
    of: ({ messages }: ProviderRequest) => {
      const last = messages.findLastIndex(({ role }) => role === 'user');
      const isDone = messages.slice(last).some(({ role }) => role === 'assistant');
      return isDone ? { pieces: ['All done.'] } : { pieces: [], calls: [call] };
    },
  };
}

async function ask(setup: { version?: 'draft' | number; dryRun?: boolean }) {
  const { conversation } = await ada.chat.create({ chatbotId, ...setup });
  const { answer } = await ada.chat.send({ id: conversation.id, text: 'Go.' });
  return { conversation, answer };
}

const reached = () => service.requests.map(({ method, url }) => `${method} ${url}`);
const told = () => provider.requests.at(-1)?.messages.at(-1)?.content;

test('in a dry run reads reach a service, writes do not, and the model is told', async () => {
  calling({ name: 'listOrders', arguments: {} });
  expect((await ask({ version: 'draft' })).answer.toolCalls).toMatchObject([{ state: 'done' }]);
  expect(reached()).toEqual(['GET /orders']);
  calling(order);
  const { conversation, answer } = await ask({ version: 'draft' });
  expect(conversation.dryRun).toBe(true);
  expect(answer).toMatchObject({ state: 'complete', toolCalls: [{ state: 'rehearsed' }] });
  expect(told()).toContain('dry run: the call was not made');
  expect(reached()).toEqual(['GET /orders']);
});

test('a dry run also asks for confirmation, and makes no call whatever the reply', async () => {
  calling({ name: 'cancelOrder', arguments: { id: '7' } });
  for (const [decision, state] of [
    ['allow', 'rehearsed'],
    ['deny', 'denied'],
  ] as const) {
    const { conversation, answer } = await ask({ version: 'draft' });
    expect(answer.state).toBe('waiting');
    const callId = answer.toolCalls[0]?.id ?? '';
    const decided = await ada.chat.decideToolCall({
      id: conversation.id,
      messageId: answer.id,
      callId,
      decision,
    });
    expect(decided.answer.toolCalls).toMatchObject([{ state }]);
  }
  expect(reached()).toEqual([]);
});

test('calls are made without a dry run, and for everybody who is not trying a version', async () => {
  calling(order);
  expect((await ask({ version: 'draft', dryRun: false })).answer.toolCalls).toMatchObject([
    { state: 'done' },
  ]);
  const live = await ask({ dryRun: true });
  expect(live.conversation.dryRun).toBe(false);
  expect(live.answer.toolCalls).toMatchObject([{ state: 'done' }]);
  expect(reached()).toEqual(['POST /orders', 'POST /orders']);
});

test('a dry run uses the recorded response of a real call until it is removed', async () => {
  const given = { body: { item: 'Lamp' } };
  const { response } = await ada.tool.test({ id: toolId, operationId: 'createOrder', arguments: given });
  const [call] = (await ada.tool.listCalls({ id: toolId, count: 1 })).calls;
  const record = (id: string, fixture: string | null) =>
    ada.tool.update({ id: toolId, operations: [{ id, fixture }] });
  await expect(record('cancelOrder', call?.id ?? '')).rejects.toMatchObject({ status: 400 });
  const { operations } = await record('createOrder', call?.id ?? '');
  expect(operations.find(({ id }) => id === 'createOrder')).toMatchObject({ hasFixture: true });
  // The document is reread, and still offers the same.
  await ada.tool.update({ id: toolId, schema: { url: `${service.url}/openapi.json` } });
  service.requests.length = 0;
  calling(order);
  expect((await ask({ version: 'draft' })).answer.toolCalls).toMatchObject([
    { state: 'rehearsed', isRecorded: true },
  ]);
  expect(told()).toContain('dry run');
  expect(told()).toContain(response);
  await record('createOrder', null);
  expect((await ask({ version: 'draft' })).answer.toolCalls).toMatchObject([{ isRecorded: false }]);
  expect(told()).not.toContain(response);
  expect(reached()).toEqual([]);
});

test('a test set reaches a service only with reads', async () => {
  calling(order);
  const { organizationId } = (await ada.tool.get({ id: toolId })).tool;
  const agent = { id: chatbotId, organizationId };
  const cases = [{ question: 'Order.', expectations: [] }];
  const testSetId = (await ada.testSet.create({ ...agent, name: 'Basics', cases })).testSet.id;
  const runId = (await ada.testSet.run({ ...agent, testSetId })).run.id;
  await expect
    .poll(async () => (await ada.testSet.getRun({ ...agent, testSetId, runId })).run.state, {
      timeout: 15_000,
    })
    .toBe('done');
  expect(provider.requests.length).toBeGreaterThan(0);
  expect(reached()).toEqual([]);
});
