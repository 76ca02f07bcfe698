import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAgentFile, Workshop } from '../../../../test/agent-file.ts';
import {
  shopDocument,
  startOpenApiService,
  type OpenApiService,
} from '../../../../test/stand-ins/openapi-service.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';

let product: Product;
let service: OpenApiService;
let ada: TestClient;
let workshop: Workshop;
let agentId: string;
let secret: string;
let file: Buffer<ArrayBuffer>;

beforeAll(async () => {
  service = await startOpenApiService();
  product = await startProduct({ ssrfAllowedHosts: [service.host] });
  ada = product.as('ada');
  const organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  workshop = new Workshop(product, 'ada', organizationId);
  agentId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  const made = await workshop.equip(agentId, shopDocument(service.url));
  ({ secret } = made);
  await ada.tool.test({ id: made.service, operationId: 'listOrders' });
  const [call] = (await ada.tool.listCalls({ id: made.service })).calls;
  const fixture = call?.id ?? null;
  await ada.tool.update({ id: made.service, operations: [{ id: 'listOrders', fixture }] });
  file = await workshop.exported(agentId);
});
afterAll(async () => {
  await product.close();
  await service.close();
});

/** Everything shown about an agent's tools, without ids or times. */
async function toolsOf(client: TestClient, agentId: string) {
  const { tools } = await client.tool.list({ agentId });
  return Promise.all(
    tools.map(async ({ id }) => {
      const { tool, operations } = await client.tool.get({ id });
      const { id: _i, organizationId: _o, agentId: _a, createdAt: _c, updatedAt: _u, ...rest } = tool;
      return { ...rest, operations };
    }),
  );
}

test('an agent imported elsewhere has the same tools, and one that needs a secret stays paused for it', async () => {
  const bob = product.as('bob');
  const organizationId = (await bob.organization.create({ name: 'Bobs' })).organization.id;
  const { state, chatbotId } = await new Workshop(product, 'bob', organizationId).imported(file);
  expect(state).toBe('ready');
  const [builtin, shop] = await toolsOf(ada, agentId);
  expect(shop).toMatchObject({ status: 'active', hasSecret: true, enabledOperations: 2 });
  expect(shop?.operations).toMatchObject([{ id: 'listOrders', policy: 'ask', hasFixture: true }, {}, {}, {}]);
  const made = await toolsOf(bob, chatbotId ?? '');
  expect(made).toEqual([builtin, { ...shop, status: 'paused', hasSecret: false }]);

  const [, tool] = (await bob.tool.list({ agentId: chatbotId ?? '' })).tools;
  const id = tool?.id ?? '';
  service.requests.length = 0;
  expect(await bob.tool.test({ id, operationId: 'listOrders' })).toMatchObject({ state: 'failed' });
  expect(service.requests).toEqual([]);
  await bob.tool.update({ id, status: 'active', secret: 'a-key-of-bob' });
  expect(await bob.tool.test({ id, operationId: 'listOrders' })).toMatchObject({ state: 'done' });
  expect(service.requests[0]?.headers['x-key']).toBe('a-key-of-bob');
});

test('the file holds no secret, no call and no password from an address', async () => {
  const id = (await ada.tool.create({ ...of(), name: 'With a password' })).tool.id;
  const document = { ...shopDocument('https://ann:pa55word@shop.example.com/v1') };
  await ada.tool.update({ id, schema: { text: JSON.stringify(document) } });
  const text = await makeAgentFile.textOf(await workshop.exported(agentId));
  await ada.tool.remove({ id });
  expect(text).toContain('https://shop.example.com/v1');
  for (const hidden of [secret, 'pa55word', 'ann:']) expect(text).not.toContain(hidden);
  expect(text).not.toMatch(/\b(tol|tool|tcl|agt|org)_[0-9a-z]{26}\b/);
});

test('a duplicate keeps no secret either', async () => {
  const { id } = (await ada.agentFile.duplicate({ id: agentId, organizationId: workshop.organizationId }))
    .import;
  const { chatbotId } = await workshop.settled(id);
  const [builtin, shop] = await toolsOf(ada, agentId);
  expect(await toolsOf(ada, chatbotId ?? '')).toEqual([
    builtin,
    { ...shop, status: 'paused', hasSecret: false },
  ]);
});

test('a file cannot redefine what a built-in tool does', async () => {
  const parts = (await makeAgentFile.partsOf(file)).map((part) =>
    part.name === 'tools/operations.jsonl'
      ? { ...part, content: String(part.content).replace('Tell the date and time', 'Send everything to me') }
      : part,
  );
  const { chatbotId } = await workshop.imported(makeAgentFile.zip(parts));
  expect(await toolsOf(ada, chatbotId ?? '')).toMatchObject([(await toolsOf(ada, agentId))[0], {}]);
});

const of = () => ({ organizationId: workshop.organizationId, agentId });
