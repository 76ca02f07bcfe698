import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Authentication } from '../../../contract/tool.ts';
import {
  answer,
  startOpenApiService,
  type OpenApiService,
} from '../../../../test/stand-ins/openapi-service.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { innerAddress, innerAddresses } from '../../egress/inner-addresses.testing.ts';
import { openLoopbackSite, type LoopbackSite } from '../../egress/loopback-site.testing.ts';

let product: Product;
let service: OpenApiService;
let inside: LoopbackSite;
let ada: TestClient;
let ids: { organizationId: string; agentId: string };

beforeAll(async () => {
  service = await startOpenApiService();
  inside = await openLoopbackSite((_request, response) => response.end('inside'));
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
  service.answer = undefined;
});
afterAll(async () => {
  await product.close();
  await service.close();
  await inside.close();
});

async function shop(authentication: Authentication = { type: 'none' }, secret?: string): Promise<string> {
  const { id } = (await ada.tool.create(ids)).tool;
  await ada.tool.update({
    id,
    schema: { url: `${service.url}/openapi.json` },
    authentication,
    ...(secret === undefined ? {} : { secret }),
  });
  return id;
}
const look = (id: string) => ada.tool.test({ id, operationId: 'listOrders' });

test('each kind of authentication identifies the caller, and is masked wherever it would be shown', async () => {
  const secret = 'canary secret/+&"1';
  const cases: [Authentication, Record<string, string>, string][] = [
    [{ type: 'apiKey', in: 'header', name: 'X-Key' }, { 'x-key': secret }, '/orders'],
    [
      { type: 'apiKey', in: 'query', name: 'key' },
      {},
      `/orders?${new URLSearchParams({ key: secret }).toString()}`,
    ],
    [
      { type: 'apiKey', in: 'cookie', name: 'key' },
      { cookie: `key=${encodeURIComponent(secret)}` },
      '/orders',
    ],
    [
      { type: 'basic', username: 'shop' },
      { authorization: `Basic ${Buffer.from(`shop:${secret}`).toString('base64')}` },
      '/orders',
    ],
    [{ type: 'bearer' }, { authorization: `Bearer ${secret}` }, '/orders'],
  ];
  // A service that echoes whatever it was sent.
  service.answer = (request, response) =>
    answer(response, 200, {
      ...request,
      decoded: Buffer.from(request.headers['authorization']?.slice(6) ?? '', 'base64').toString(),
    });
  for (const [authentication, headers, url] of cases) {
    const id = await shop(authentication, secret);
    const tried = await look(id);
    expect(tried).toMatchObject({ state: 'done', status: 200 });
    expect(service.requests.at(-1)).toMatchObject({ url, headers });
    const shown = JSON.stringify([tried, await ada.tool.listCalls({ id }), await ada.tool.get({ id })]);
    expect(shown).toContain('•••');
    // The mask itself stays legible where a secret is encoded.
    expect(shown).not.toContain(encodeURIComponent('•••'));
    expect(shown).not.toMatch(/canary|Y2FuYXJ5|OmNhbmFy|pjYW5hc/);
  }
});

test('a client credentials token is requested once, cached, and renewed when refused', async () => {
  const authentication = {
    type: 'oauth2',
    tokenUrl: `${service.url}/token`,
    clientId: 'we',
    scope: 'orders',
  } as const;
  const id = await shop(authentication, 'canary-client-secret');
  service.tokens.length = 0;
  const tried = await Promise.all([look(id), look(id), look(id)]);
  expect(tried.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(service.tokens).toHaveLength(1);
  expect(service.requests[0]?.headers['authorization']).toBe('Bearer token-canary-1');
  // The service has forgotten the token.
  service.answer = (request, response) =>
    answer(
      response,
      request.headers['authorization'] === 'Bearer token-canary-2' ? 200 : 401,
      request.headers,
    );
  const renewed = await look(id);
  expect(renewed).toMatchObject({ status: 200 });
  expect(service.tokens).toHaveLength(2);
  expect(JSON.stringify([tried, renewed])).not.toContain('canary');
});

test('no internal address is reached, whatever setting names it', async () => {
  const { id } = (await ada.tool.create(ids)).tool;
  await ada.tool.update({ id, schema: { url: `${service.url}/openapi.json` } });
  const notAllowed = { status: 400, code: 'egress/url-not-allowed' };
  for (const template of innerAddresses) {
    const address = innerAddress(template, inside.port);
    if (!URL.canParse(address) || !/^https?:/i.test(address)) continue;
    await expect(ada.tool.update({ id, schema: { url: address } }), address).rejects.toMatchObject({
      code: expect.stringMatching(/^(egress|request)\//) as string,
    });
    const saved = await ada.tool.update({ id, serverUrl: address }).catch(() => undefined);
    if (saved) expect(await look(id), address).toMatchObject({ state: 'failed', status: null });
  }
  const tokenUrl = `http://127.0.0.1:${inside.port}/token`;
  const authentication = { type: 'oauth2', tokenUrl, clientId: 'we', scope: '' } as const;
  await ada.tool.update({ id, serverUrl: service.url, authentication, secret: 'x' });
  expect(await look(id)).toMatchObject({ state: 'failed', status: null });
  await expect(ada.tool.update({ id, schema: { url: tokenUrl } })).rejects.toMatchObject(notAllowed);
  expect(inside.connections()).toBe(0);
});

test('redirects are not followed, so a secret goes no further than its own service', async () => {
  const id = await shop({ type: 'bearer' }, 'canary-bearer');
  for (const status of [301, 302, 303, 307, 308]) {
    service.answer = (_request, response) =>
      response.writeHead(status, { location: `http://127.0.0.1:${inside.port}/` }).end();
    expect(await look(id)).toMatchObject({ state: 'failed', status });
  }
  expect(inside.connections()).toBe(0);
});

test('an answer that is too long is cut, and one that is not text or is broken is reported', async () => {
  const id = await shop();
  service.answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    const piece = 'x'.repeat(64 * 1024);
    const write = (): void => {
      while (!response.destroyed && response.write(piece));
      if (!response.destroyed) response.once('drain', write);
    };
    write();
  };
  expect((await look(id)).response).toHaveLength(100_000 + '\n(The rest was cut off.)'.length);
  service.answer = (_request, response) =>
    response.writeHead(200, { 'content-type': 'image/png', 'set-cookie': 'a=1' }).end(Buffer.alloc(1000));
  expect((await look(id)).response).toContain('no text');
  service.answer = (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end('bomb');
  expect((await look(id)).response).toContain('compressed, which was not asked for');
  for (const [charset, bytes] of [
    ['iso-8859-1', Buffer.from('Größe', 'latin1')],
    ['"utf-8"', Buffer.from('Größe')],
    ['nobody-knows', Buffer.from('Größe')],
  ] as const) {
    service.answer = (_request, response) =>
      response.writeHead(200, { 'content-type': `text/plain; charset=${charset}` }).end(bytes);
    expect((await look(id)).response).toBe('Größe');
  }
  service.answer = (_request, response) => response.destroy();
  expect(await look(id)).toMatchObject({ state: 'failed', status: null });
  service.answer = (_request, response) => answer(response, 422, { reason: 'No such state.' });
  expect(await look(id)).toMatchObject({
    state: 'failed',
    status: 422,
    response: expect.stringContaining('No such state.') as string,
  });
});

test('arguments go where the document says', async () => {
  const string = { type: 'string' };
  const named = (name: string, place: string, more: object = {}) => ({
    name,
    in: place,
    schema: string,
    ...more,
  });
  const document = {
    openapi: '3.0.0',
    servers: [{ url: `${service.url}/base/` }],
    paths: {
      '/a/{id}/b': {
        post: {
          operationId: 'all',
          parameters: [
            named('id', 'query'),
            named('list', 'query', { schema: { type: 'array' } }),
            named('flat', 'query', { schema: { type: 'array' }, explode: false }),
            named('deep', 'query', { schema: { type: 'object' }, style: 'deepObject' }),
            named('X-Trace', 'header'),
            named('Authorization', 'header'),
            named('visit', 'cookie'),
          ],
          requestBody: { content: { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } } },
        },
      },
    },
  };
  const { id } = (await ada.tool.create(ids)).tool;
  await ada.tool.update({ id, schema: { text: JSON.stringify(document) } });
  const given = {
    id: 'q',
    id_2: 'p/p',
    list: ['a', 'b'],
    flat: ['a', 'b'],
    deep: { k: 'v' },
    'X-Trace': 't',
    visit: 'x y',
  };
  const tried = await ada.tool.test({
    id,
    operationId: 'all',
    arguments: { ...given, body: { metadata: { colour: 'red' }, n: 1 } },
  });
  expect(tried.state).toBe('done');
  expect(service.requests[0]).toMatchObject({
    method: 'POST',
    url: '/base/a/p%2Fp/b?id=q&list=a&list=b&flat=a%2Cb&deep%5Bk%5D=v',
    headers: { 'x-trace': 't', cookie: 'visit=x%20y', 'content-type': 'application/x-www-form-urlencoded' },
    body: 'metadata%5Bcolour%5D=red&n=1',
  });
  const hostile = await ada.tool.test({
    id,
    operationId: 'all',
    arguments: { id_2: 'x', 'X-Trace': 'a\r\nHost: b' },
  });
  expect(hostile).toMatchObject({ state: 'refused', request: null });
});

test('path values are encoded in the document’s style and stay within one segment', async () => {
  const place = (name: string, more: object) => ({ name, in: 'path', required: true, schema: {}, ...more });
  const style = (label: string, more: object) => [
    `/${label}/{v}`,
    { get: { operationId: label, parameters: [place('v', more)] } },
  ];
  const document = {
    openapi: '3.0.0',
    servers: [{ url: service.url }],
    paths: Object.fromEntries([
      style('simple', {}),
      style('simpleExploded', { explode: true }),
      style('label', { style: 'label' }),
      style('labelExploded', { style: 'label', explode: true }),
      style('matrix', { style: 'matrix' }),
      style('matrixExploded', { style: 'matrix', explode: true }),
    ]),
  };
  const { id } = (await ada.tool.create(ids)).tool;
  await ada.tool.update({ id, schema: { text: JSON.stringify(document) } });
  const written = async (operationId: string, v: unknown) => {
    service.requests.length = 0;
    const { state } = await ada.tool.test({ id, operationId, arguments: { v } });
    return service.requests[0]?.url?.slice(operationId.length + 2) ?? state;
  };
  // The examples of RFC 6570 and of OpenAPI 3.1.
  const list = ['blue', 'bl/ack'];
  const object = { R: 100, G: 200 };
  const expected: [operationId: string, text: string, list: string, object: string][] = [
    ['simple', 'blue', 'blue,bl%2Fack', 'R,100,G,200'],
    ['simpleExploded', 'blue', 'blue,bl%2Fack', 'R=100,G=200'],
    ['label', '.blue', '.blue,bl%2Fack', '.R,100,G,200'],
    ['labelExploded', '.blue', '.blue.bl%2Fack', '.R=100.G=200'],
    ['matrix', ';v=blue', ';v=blue,bl%2Fack', ';v=R,100,G,200'],
    ['matrixExploded', ';v=blue', ';v=blue;v=bl%2Fack', ';R=100;G=200'],
  ];
  for (const [operationId, ...results] of expected) {
    const found = [];
    for (const value of ['blue', list, object]) found.push(await written(operationId, value));
    expect([operationId, ...found]).toEqual([operationId, ...results]);
  }
  for (const value of ['', '.', '..', []]) expect(await written('simple', value)).toBe('refused');
  expect(await written('label', '.')).toBe('refused');
});

test('operations on a server other than the document’s are not offered', async () => {
  const elsewhere = [{ url: 'https://other.example.com' }];
  const document = {
    openapi: '3.0.0',
    servers: [{ url: service.url }],
    paths: {
      '/here': { servers: [{ url: service.url }], get: { operationId: 'here' } },
      '/there': { servers: elsewhere, get: { operationId: 'there' } },
      '/both': { get: { operationId: 'one' }, post: { operationId: 'other', servers: elsewhere } },
    },
  };
  const { id } = (await ada.tool.create(ids)).tool;
  const { tool, operations } = await ada.tool.update({ id, schema: { text: JSON.stringify(document) } });
  expect(operations.map((operation) => operation.id)).toEqual(['here', 'one']);
  expect(tool.leftOut).toEqual(['there', 'other']);
});

test('calls are listed in pages, newest first', async () => {
  const id = await shop();
  for (const state of ['open', 'sent', 'open'])
    await ada.tool.test({ id, operationId: 'listOrders', arguments: { state } });
  const first = await ada.tool.listCalls({ id, count: 2 });
  expect(first.calls).toHaveLength(2);
  const second = await ada.tool.listCalls({ id, count: 2, cursor: first.nextCursor ?? '' });
  expect(second.calls).toMatchObject([{ arguments: { state: 'open' }, state: 'done', conversationId: null }]);
  expect(second.nextCursor).toBeNull();
});

test('a connection that someone else has changed since it was read is not overwritten', async () => {
  const authentication = { type: 'apiKey', in: 'header', name: 'X-Key' } as const;
  const id = await shop(authentication, 'canary-secret-1');
  const { servers, form } = (await ada.tool.get({ id })).tool;
  // As the document writes it, not as it is stored.
  const seen = { authentication, serverUrl: servers[0] ?? null, form };
  const theirs = { ...authentication, name: 'X-Their-Key' };
  await ada.tool.update({ id, authentication: theirs, serverUrl: service.url, seen });
  const refused = {
    status: 409,
    code: 'resource/conflict',
    errors: [{ path: 'authentication', now: theirs }],
  };
  const mine = { id, authentication: { ...authentication, name: 'X-My-Key' }, serverUrl: service.url };
  await expect(ada.tool.update({ ...mine, seen })).rejects.toMatchObject(refused);
  // Somewhere else the secret would have to be given again, but that isn't what is wrong.
  const elsewhere = { ...mine, serverUrl: `${service.url}/v2` };
  await expect(ada.tool.update({ ...elsewhere, seen })).rejects.toMatchObject(refused);
  expect((await ada.tool.get({ id })).tool).toMatchObject({ authentication: theirs, serverUrl: service.url });

  const field = {
    key: 'name',
    label: 'Name',
    kind: 'text',
    required: true,
    choices: [] as string[],
  } as const;
  await ada.tool.update({ id, form: [field], seen });
  await expect(ada.tool.update({ id, form: [{ ...field, key: 'who' }], seen })).rejects.toMatchObject({
    status: 409,
    errors: [{ path: 'form', now: [field] }],
  });
  await ada.tool.update({ ...mine, seen: { ...seen, authentication: theirs } });
});
