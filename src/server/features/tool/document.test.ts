import { stringify } from 'yaml';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import {
  shopDocument,
  startOpenApiService,
  type OpenApiService,
} from '../../../../test/stand-ins/openapi-service.ts';
import { openLoopbackSite } from '../../egress/loopback-site.testing.ts';

let product: Product;
let service: OpenApiService;
let ada: TestClient;
let ids: { organizationId: string; agentId: string };

beforeAll(async () => {
  service = await startOpenApiService();
  product = await startProduct({ ssrfAllowedHosts: [service.host] });
  ada = product.as('ada');
  const organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  ids = {
    organizationId,
    agentId: (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id,
  };
});
beforeEach(() => {
  service.requests.length = 0;
});
afterAll(async () => {
  await product.close();
  await service.close();
});

const newTool = async () => (await ada.tool.create(ids)).tool.id;
const give = async (document: unknown) =>
  ada.tool.update({
    id: await newTool(),
    schema: { text: typeof document === 'string' ? document : JSON.stringify(document) },
  });
const refusal = (detail: string) => ({
  status: 400,
  code: 'tool/document-refused',
  message: expect.stringContaining(detail) as string,
});
const minimal = (paths: object, more: object = {}) => ({ openapi: '3.0.3', info: {}, paths, ...more });

test('a document is read from its address, and its operations are chosen one by one', async () => {
  const id = await newTool();
  const read = await ada.tool.update({ id, schema: { url: `${service.url}/openapi.json` } });
  expect(read.tool).toMatchObject({
    serverUrl: service.url,
    servers: [`${service.url}/`],
    documentUrl: `${service.url}/openapi.json`,
    hasDocument: true,
    enabledOperations: 0,
  });
  expect(read.operations.map(({ id, method, path, policy }) => [id, method, path, policy])).toEqual([
    ['listOrders', 'GET', '/orders', 'allow'],
    ['createOrder', 'POST', '/orders', 'ask'],
    ['getOrder', 'GET', '/orders/{id}', 'allow'],
    ['cancelOrder', 'DELETE', '/orders/{id}', 'ask'],
  ]);
  expect(read.operations[2]?.parameters).toEqual([
    {
      name: 'id',
      property: 'id',
      in: 'path',
      required: true,
      description: '',
      type: 'string',
      shape: 'string',
    },
  ]);
  const shapes = read.operations.map(({ parameters }) => parameters.map(({ shape }) => shape));
  expect(shapes.slice(0, 2)).toEqual([['"open" | "sent"'], ['{ "item": string, "count"?: integer }']]);
  const chosen = [
    { id: 'getOrder', enabled: true },
    { id: 'cancelOrder', policy: 'deny' as const },
  ];
  await ada.tool.update({ id, operations: chosen });
  // Choices survive rereading the document.
  const again = await ada.tool.update({ id, schema: { url: `${service.url}/openapi.json` } });
  expect(again.operations.map(({ enabled, policy }) => [enabled, policy])).toEqual([
    [false, 'allow'],
    [false, 'ask'],
    [true, 'allow'],
    [false, 'deny'],
  ]);
  expect((await ada.tool.list({ agentId: ids.agentId })).tools.find((one) => one.id === id)).toMatchObject({
    enabledOperations: 1,
  });
  await expect(ada.tool.update({ id, operations: [{ id: 'noSuch', enabled: true }] })).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'operations.0.id' }],
  });
});

test('a pasted document may be as large as a fetched one, for a caller who may provide one', async () => {
  const get = (n: number) => ({ get: { operationId: `read${n}`, description: 'Of that. '.repeat(100) } });
  const paths = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`/r${n}`, get(n)]));
  const large = JSON.stringify(minimal(paths));
  expect(large.length).toBeGreaterThan(900_000);
  const { tool, operations } = await give(large);
  expect([tool.hasDocument, operations.length]).toEqual([true, 1000]);
  const write = (headers: Record<string, string>, bytes: number) =>
    fetch(`${product.url}/v1/platform/tool/${tool.id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ schema: { text: 'x'.repeat(bytes) } }),
    });
  // The body is not read for unauthenticated callers, nor as much on other routes.
  expect((await write({}, 5_000_000)).status).toBe(401);
  const elsewhere = ada.tool.create({ ...ids, name: 'x'.repeat(500_000) });
  await expect(elsewhere).rejects.toMatchObject({ status: 413 });
});

test('the document can be provided directly, as an object or as text', async () => {
  const document = shopDocument(service.url) as { openapi: string };
  const pasted = await give(document);
  for (const schema of [document, JSON.stringify(document), stringify(document)])
    expect((await ada.tool.update({ id: await newTool(), schema })).operations).toEqual(pasted.operations);
  const none = ada.tool.update({ id: await newTool(), schema: { swagger: '2.0' } as never });
  const message = 'Must be an OpenAPI document or its address.';
  await expect(none).rejects.toMatchObject({ status: 400, errors: [{ path: 'schema', message }] });
});

test('YAML and JSON are read alike', async () => {
  const json = await give(shopDocument(service.url));
  const yaml = await give(stringify(shopDocument(service.url)));
  expect(yaml.operations).toEqual(json.operations);
});

test('YAML anchors and merge keys are resolved', async () => {
  const { operations } = await give(`
openapi: 3.0.3
info: {title: Shop}
x-listed: &listed
  parameters:
    - {name: page, in: query, schema: {type: integer}}
paths:
  /orders:
    get: {<<: *listed, operationId: listOrders}
  /items:
    get: {<<: *listed, operationId: listItems}
`);
  for (const { parameters } of operations)
    expect(parameters).toMatchObject([{ name: 'page', in: 'query', type: 'integer' }]);
  expect(operations.map(({ id }) => id)).toEqual(['listOrders', 'listItems']);
});

test('a version that YAML reads as a number is accepted', async () => {
  for (const version of ['3.0', '3.1']) {
    const { operations } = await give(
      `openapi: ${version}\ninfo: {title: Shop}\npaths:\n  /orders:\n    get: {operationId: list}`,
    );
    expect(operations).toHaveLength(1);
  }
  await expect(give('openapi: 2.0\npaths: {}')).rejects.toMatchObject(refusal('its version'));
});

test('function names are unique and acceptable to every provider', async () => {
  const get = { responses: {} };
  const { operations } = await give(
    minimal({
      '/a/{id}': { get: { ...get, operationId: 'größe/lesen!' }, put: get },
      '/b': { get: { ...get, operationId: 'größe.lesen?' }, post: { ...get, operationId: '9'.repeat(200) } },
    }),
  );
  const names = operations.map(({ functionName }) => functionName);
  expect(new Set(names).size).toBe(4);
  for (const name of names) expect(name).toMatch(/^[a-z][\w-]{0,63}$/i);
});

test('an invalid, outdated or contradictory document is refused in plain words', async () => {
  const get = { operationId: 'same' };
  const cases: [unknown, string][] = [
    ['<html>no</html>', 'openapi'],
    ['{"openapi": "3.0.0"', 'neither JSON nor YAML'],
    [{ swagger: '2.0', paths: {} }, 'Swagger 2'],
    [{ openapi: '3.0.0' }, 'no paths'],
    [minimal({ '/a': { get }, '/b': { get } }), 'Two operations'],
    [minimal({ '/a': { get: { parameters: [{ $ref: '#/nowhere' }] } } }), 'does not exist'],
    [minimal({ '/a': { $ref: '#/paths/~1a' } }), 'circular references'],
    [minimal({ '/a': { $ref: 'file:///etc/passwd' } }), 'not a web address'],
    [minimal({ '/a': { $ref: './other.json' } }), 'given by its address'],
    ['['.repeat(100_000), 'cannot be read'],
  ];
  for (const [document, detail] of cases) {
    await expect(give(document), detail).rejects.toMatchObject({
      status: 400,
      code: 'tool/document-refused',
    });
    await expect(give(document), detail).rejects.toMatchObject(
      refusal(detail === 'cannot be read' ? '' : detail),
    );
  }
});

test('a small document that expands to a huge one is refused quickly', async () => {
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefghijk'.split('').map((name, at) => {
      const before = 'abcdefghijk'[at];
      return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(',')}]`;
    }),
  ].join('\n');
  const started = performance.now();
  await expect(give(`openapi: 3.0.0\n${bomb}\npaths: *k`)).rejects.toMatchObject({ status: 400 });
  expect(performance.now() - started).toBeLessThan(20_000);
});

test('a document of six megabytes is read, and one with too many operations to choose from is refused', async () => {
  const schemas = Object.fromEntries(
    Array.from({ length: 600 }, (_, at) => {
      const fields = Array.from({ length: 20 }, (__, field) => [
        `f${field}`,
        { type: 'string', description: 'd'.repeat(300) },
      ]);
      const next = { $ref: `#/components/schemas/S${(at + 1) % 600}` };
      return [`S${at}`, { type: 'object', properties: { ...Object.fromEntries(fields), next } }];
    }),
  );
  const post = (at: number) => ({
    post: {
      operationId: `post${at}`,
      requestBody: {
        content: { 'application/json': { schema: { $ref: `#/components/schemas/S${at % 600}` } } },
      },
      responses: { 200: { description: 'x'.repeat(2000) } },
    },
  });
  const pathsOf = (count: number, item: (at: number) => object) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`/p${at}`, item(at)]));
  const documents: Record<string, string> = {
    '/large': JSON.stringify(minimal(pathsOf(1000, post), { components: { schemas } })),
    '/endless': JSON.stringify(minimal(pathsOf(100_000, (at) => ({ get: { operationId: `g${at}` } })))),
    '/too-large': ' '.repeat(21 * 1024 * 1024),
  };
  expect(documents['/large']?.length).toBeGreaterThan(5_500_000);
  service.answer = ({ url }, response) => response.writeHead(200).end(documents[url]);
  const id = await newTool();
  const from = (file: string) => ada.tool.update({ id, schema: { url: `${service.url}/${file}` } });
  expect((await from('large')).operations).toHaveLength(1000);
  await expect(from('endless')).rejects.toMatchObject(refusal('more than 3000 operations'));
  await expect(from('too-large')).rejects.toMatchObject({ code: 'egress/failed' });
  service.answer = undefined;
});

test('recursive schemas, runaway patterns and names of built-in properties are harmless', async () => {
  const text = JSON.stringify(
    minimal(
      {
        '/a': {
          post: {
            operationId: 'grow',
            requestBody: {
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } },
            },
          },
        },
      },
      {
        components: {
          schemas: {
            Tree: {
              type: 'object',
              properties: {
                leaf: { type: 'string', pattern: '^(a+)+$' },
                proto: { type: 'string' },
                trees: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
              },
            },
          },
        },
      },
    ),
  ).replace('"proto"', '"__proto__"');
  const { operations } = await give(text);
  expect(operations).toMatchObject([{ id: 'grow', parameters: [{ name: 'body', in: 'body' }] }]);
  const { rows } = await product.app.deps.db.owner.query<{ schema: unknown }>(
    `select input_schema as schema from tool_operation where id = 'grow'`,
  );
  expect(rows[0]?.schema).toMatchObject({
    properties: { body: { properties: { leaf: { type: 'string' }, trees: { items: {} } } } },
  });
  expect(JSON.stringify(rows)).not.toMatch(/__proto__|\(a\+\)/);
});

test('text that the database cannot store is left out of a document', async () => {
  const schema = {
    type: 'object',
    description: 'A\u0000B',
    properties: { a: { type: 'string', enum: ['\ud800'] }, 'b\u0000': { type: 'string' } },
  };
  const parameters = ['a', 'b\u0000'].map((name) => ({ name, in: 'query', style: 'form\u0000', schema }));
  const requestBody = { content: { 'application/json': { schema } } };
  const { operations } = await give(
    minimal({
      '/odd': { post: { operationId: 'odd', parameters, requestBody } },
      '/c\u0000': { get: { operationId: 'gone' } },
    }),
  );
  expect(operations.map(({ id, parameters }) => [id, parameters.map(({ name }) => name)])).toEqual([
    ['odd', ['a', 'body']],
  ]);
});

test('an operation that requires a file is listed as uncallable, and an optional file is omitted', async () => {
  const file = (required: boolean) => ({
    required,
    content: { 'multipart/form-data': { schema: { type: 'object' } } },
  });
  const { tool, operations } = await give(
    minimal({
      '/files': { post: { operationId: 'upload', requestBody: file(true) } },
      '/notes': { post: { operationId: 'note', requestBody: file(false) } },
    }),
  );
  expect([operations.map(({ id }) => id), tool.leftOut]).toEqual([['note'], ['upload']]);
});

test('references in a document are fetched only through egress', async () => {
  const inside = await openLoopbackSite((_request, response) => response.end('{}'));
  const parts = await openLoopbackSite((request, response) => {
    const url = request.url ?? '';
    const main = minimal({ '/a': { $ref: './paths.json#/one' } }, { servers: [{ url: '/v1' }] });
    const path = { one: { get: { operationId: 'one', parameters: [{ $ref: 'shared.yaml#/limit' }] } } };
    const shared = 'limit: { name: limit, in: query, schema: { type: integer } }';
    const bad = minimal({ '/a': { $ref: `http://127.0.0.1:${inside.port}/x.json` } });
    const files: Record<string, string> = {
      '/main.json': JSON.stringify(main),
      '/paths.json': JSON.stringify(path),
      '/shared.yaml': shared,
      '/bad.json': JSON.stringify(bad),
    };
    response.end(files[url] ?? '');
  });
  const allowed = await startProduct({ ssrfAllowedHosts: [`127.0.0.1:${parts.port}`] });
  try {
    const bob = allowed.as('bob');
    const organizationId = (await bob.organization.create({ name: 'Parts' })).organization.id;
    const agentId = (await bob.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
    const { id } = (await bob.tool.create({ organizationId, agentId })).tool;
    const from = (file: string) =>
      bob.tool.update({ id, schema: { url: `http://127.0.0.1:${parts.port}/${file}` } });
    expect(await from('main.json')).toMatchObject({
      tool: { serverUrl: `http://127.0.0.1:${parts.port}/v1` },
      operations: [{ id: 'one', parameters: [{ name: 'limit', in: 'query' }] }],
    });
    await expect(from('bad.json')).rejects.toMatchObject({ status: 400, code: 'egress/url-not-allowed' });
    expect(inside.connections()).toBe(0);
  } finally {
    await allowed.close();
    await parts.close();
    await inside.close();
  }
});

test('a secret is stored encrypted, never shown, and required again for another address', async () => {
  const id = await newTool();
  const given = { id, schema: { text: JSON.stringify(shopDocument(service.url)) } };
  const authentication = { type: 'apiKey', in: 'header', name: 'X-Key' } as const;
  const answers: unknown[] = [
    await ada.tool.update({ ...given, authentication, secret: 'canary-secret-1' }),
    await ada.tool.get({ id }),
    await ada.tool.list({ agentId: ids.agentId }),
    await ada.audit.list({ organizationId: ids.organizationId }),
  ];
  expect(answers[1]).toMatchObject({ tool: { authentication, hasSecret: true } });
  const needed = { status: 400, code: 'tool/secret-needed' };
  await expect(ada.tool.update({ id, serverUrl: 'https://elsewhere.example' })).rejects.toMatchObject(needed);
  await expect(ada.tool.update({ id, authentication: { type: 'bearer' } })).rejects.toMatchObject(needed);
  // The same address spelled differently is the same.
  answers.push(await ada.tool.update({ id, serverUrl: `${service.url.replace('http', 'HTTP')}/` }));
  answers.push(
    await ada.tool.update({ id, serverUrl: 'https://elsewhere.example', secret: 'canary-secret-2' }),
  );
  expect((await ada.tool.update({ id, authentication: { type: 'none' } })).tool.hasSecret).toBe(false);
  const { rows } = await product.app.deps.db.owner.query('select row_to_json(tool)::text as row from tool');
  expect(JSON.stringify([answers, rows])).not.toContain('canary-secret');
});
