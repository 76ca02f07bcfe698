import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { startOpenApiService, type OpenApiService } from '../../../../test/stand-ins/openapi-service.ts';

let product: Product;
let provider: Provider;
let service: OpenApiService;

beforeAll(async () => {
  service = await startOpenApiService();
  const order = { name: 'createOrder', arguments: { body: { item: 'Lamp', count: 2 } } };
  provider = await startProvider({ pieces: [], calls: [order] });
  product = await startProduct({
    ssrfAllowedHosts: [service.host],
    providers: { openai: provider.openai },
  });
});
afterAll(async () => {
  await product.close();
  await provider.close();
  await service.close();
});

test('a test expects a call with arguments, and does not make a call that needs confirmation', async () => {
  const ada = product.as('ada');
  const organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  const id = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  const tool = (await ada.tool.create({ organizationId, agentId: id })).tool.id;
  await ada.tool.update({ id: tool, schema: { url: `${service.url}/openapi.json` } });
  await ada.tool.update({ id: tool, operations: [{ id: 'createOrder', enabled: true }] });
  const calls = (given?: Record<string, unknown>) => [
    { kind: 'calls-tool' as const, operation: 'createOrder', ...(given ? { arguments: given } : {}) },
  ];
  const question = 'Order two lamps.';
  const { testSet } = await ada.testSet.create({
    id,
    organizationId,
    name: 'Tools',
    cases: [
      { question, expectations: calls() },
      { question, expectations: calls({ body: { item: 'Lamp' } }) },
      { question, expectations: calls({ body: { item: 'Chair' } }) },
      { question, expectations: [] },
    ],
  });
  const ids = { id, organizationId, testSetId: testSet.id };
  const { run } = await ada.testSet.run(ids);
  const read = () => ada.testSet.getRun({ ...ids, runId: run.id });
  await expect.poll(async () => (await read()).run.state, { timeout: 60_000 }).toBe('done');
  const { results } = await read();
  expect(results.map(({ failures }) => failures)).toEqual([
    [],
    [],
    [{ kind: 'calls-tool', detail: 'createOrder {"body":{"item":"Chair"}}' }],
    [{ kind: 'no-answer', detail: 'waiting' }],
  ]);
  expect(service.requests).toEqual([]);
});
