import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import {
  shopDocument,
  startOpenApiService,
  type OpenApiService,
} from '../../../../test/stand-ins/openapi-service.ts';

let product: Product;
let service: OpenApiService;
let ada: TestClient;
let ids: { organizationId: string; agentId: string };
beforeAll(async () => {
  service = await startOpenApiService();
  product = await startProduct({ ssrfAllowedHosts: [service.host] });
  ada = product.as('ada');
  const organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  const { chatbot } = await ada.chatbot.create({ organizationId, name: 'Helper' });
  ids = { organizationId, agentId: chatbot.id };
});
afterAll(async () => {
  await product.close();
  await service.close();
});

const key = { type: 'apiKey', in: 'header', name: 'X-Shop-Key' };
const oauth = { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://a.example', scopes: {} } } };

const textOf = (document: object) => ({
  text: JSON.stringify({ ...shopDocument(service.url), ...document }),
});
const withSchemes = (securitySchemes: object, security: object[] = [{ one: [] }]) => {
  const { components, ...shop } = shopDocument(service.url) as { components: object };
  return textOf({ ...shop, components: { ...components, securitySchemes }, security });
};

async function read(schema: { text: string }) {
  const { id } = (await ada.tool.create(ids)).tool;
  return (await ada.tool.update({ id, schema })).tool;
}

test.each([
  ['a key in a header', key, key],
  ['a key in the query', { ...key, in: 'query' }, { ...key, in: 'query' }],
  ['a token', { type: 'http', scheme: 'Bearer', bearerFormat: 'JWT' }, { type: 'bearer' }],
  ['a password', { type: 'http', scheme: 'basic' }, { type: 'basic', username: '' }],
  ['OAuth', oauth, { type: 'none' }],
  ['a digest', { type: 'http', scheme: 'digest' }, { type: 'none' }],
  ['a key whose name is none', { ...key, name: 'X Shop\nKey' }, { type: 'none' }],
  ['what is not there', undefined, { type: 'none' }],
  ['a reference to nowhere', { $ref: 'https://elsewhere.example/a.json#/x' }, { type: 'none' }],
])('a tool’s authentication is read from its document: %s', async (_what, scheme, authentication) => {
  const tool = await read(withSchemes(scheme ? { one: scheme } : {}));
  expect(tool).toMatchObject({ authentication, hasSecret: false });
});

test('the first supported alternative is chosen, and what most operations require wins', async () => {
  const schemes = { one: key, two: oauth, three: { type: 'http', scheme: 'bearer' } };
  const first = await read(withSchemes(schemes, [{ two: [] }, { one: [], three: [] }, { three: [] }]));
  expect(first.authentication).toEqual({ type: 'bearer' });
  expect((await read(withSchemes(schemes, [{ one: [] }, {}]))).authentication).toEqual({ type: 'none' });
  const { paths } = shopDocument(service.url) as { paths: Record<string, Record<string, object>> };
  const orders = { ...paths['/orders'], get: { ...paths['/orders']?.['get'], security: [{ one: [] }] } };
  const { text } = withSchemes(schemes, []);
  const one = { text: JSON.stringify({ ...JSON.parse(text), paths: { ...paths, '/orders': orders } }) };
  expect((await read(one)).authentication).toEqual({ type: 'none' });
});

test('nothing is called before the secret is set, and it is sent as the document says', async () => {
  const { id } = await read(withSchemes({ one: key }));
  const call = { id, operationId: 'listOrders', arguments: {} };
  expect(await ada.tool.test(call)).toMatchObject({
    state: 'failed',
    response: 'The tool has no secret yet.',
  });
  expect(service.requests).toEqual([]);
  await ada.tool.update({ id, secret: 'key-canary' });
  expect(await ada.tool.test(call)).toMatchObject({ state: 'done' });
  expect(service.requests.at(-1)?.headers['x-shop-key']).toBe('key-canary');
});

test('a member’s choice of authentication stays, even when the document is read again', async () => {
  const { id } = (await ada.tool.create(ids)).tool;
  const schema = withSchemes({ one: key });
  const said = await ada.tool.update({ id, schema, authentication: { type: 'none' } });
  expect(said.tool.authentication).toEqual({ type: 'none' });
  expect((await ada.tool.update({ id, schema })).tool.authentication).toEqual({ type: 'none' });
  const other = (await ada.tool.create(ids)).tool.id;
  const ours = { serverUrl: `${service.url}/ours`, authentication: { type: 'bearer' } as const };
  await ada.tool.update({ id: other, ...ours, secret: 'token-canary' });
  const { tool } = await ada.tool.update({ id: other, schema });
  expect(tool).toMatchObject({ authentication: { type: 'bearer' }, hasSecret: true });
});
