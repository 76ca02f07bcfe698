import { request as send } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../test/product.ts';

let product: Product;
let token: string;

beforeAll(async () => {
  product = await startProduct();
  token = (await product.sessionOf('ada')).idToken;
});
afterAll(() => product.close());

/** Returns the status for any headers: the standard library's client refuses to send some of these. */
function statusOf(path: string, headers: [string, string][] = [], method = 'GET', body?: string) {
  return new Promise<number>((resolve, reject) => {
    const sent = send(`${product.url}${path}`, {
      method,
      // A rejected oversized request breaks its connection: the next one opens its own.
      agent: false,
      headers: ['host', 'localhost', 'authorization', `Bearer ${token}`, ...headers.flat()],
    });
    sent.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    // A connection cut in the middle of an oversized request is an answer too, as long as the server keeps running.
    sent.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EPIPE' || error.code === 'ECONNRESET' ? resolve(431) : reject(error),
    );
    sent.end(body);
  });
}

const json: [string, string] = ['content-type', 'application/json'];
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
/** Keys that collide in a weak hash are still just many keys, so plain ones do. */
const many = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`);

test.each([
  [
    'a hundred thousand query fields',
    `/v1/chatbot?${many(100_000)
      .map((key) => `${key}=1`)
      .join('&')}`,
    [],
    431,
  ],
  [
    'a thousand query fields',
    `/v1/chatbot?${many(1000)
      .map((key) => `${key}=1`)
      .join('&')}`,
    [],
    400,
  ],
  ['a field called __proto__', '/v1/chatbot?__proto__[polluted]=1', [], 400],
  ['a header of 20 kB', '/v1/chat', [['x-long', 'a'.repeat(20_000)]], 431],
  [
    'a thousand cookies',
    '/v1/chat',
    [
      [
        'cookie',
        many(1000)
          .map((key) => `${key}=1`)
          .join('; '),
      ],
    ],
    200,
  ],
  ['a header called __proto__', '/v1/chat', [['__proto__', 'polluted']], 200],
] as [string, string, [string, string][], number][])(
  '%s does no harm',
  async (_what, path, headers, status) => {
    const started = performance.now();
    expect(await statusOf(path, headers)).toBe(status);
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(await statusOf('/v1/chat')).toBe(200);
  },
);

test.each([
  ['deeper than 64', `{"organizationId":${nested(100)}}`, 400],
  ['of nothing but brackets', nested(120_000), 400],
  ['larger than 256 KiB', nested(200_000), 413],
  ['of many names', JSON.stringify(Object.fromEntries(many(20_000).map((key) => [key, 1]))), 400],
  ['that would change what all objects are', '{"__proto__":{"polluted":1},"name":"A"}', 400],
  ['that would change it by its constructor', '{"constructor":{"prototype":{"polluted":1}},"name":"A"}', 400],
])('a body %s is refused at once', async (_what, body, status) => {
  const started = performance.now();
  expect(await statusOf('/v1/chatbot', [json], 'POST', body)).toBe(status);
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('a list of a hundred thousand e-mail addresses is refused immediately', async () => {
  const started = performance.now();
  const body = JSON.stringify({ organizationId: 'org_0', role: 'viewer', email: ','.repeat(100_000) });
  expect(await statusOf('/v1/platform/member/invite', [json], 'POST', body)).toBe(400);
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('search input is treated as text, never as a pattern', async () => {
  const ada = product.as('ada');
  const organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  const { id } = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot;
  const { knowledge } = await ada.knowledge.create({
    id,
    organizationId,
    type: 'text',
    description: '100% (a+)+$',
    text: 'b',
  });
  const item = { id, knowledgeId: knowledge.id };
  const found = async (search: string) => (await ada.source.list({ ...item, search })).sources.length;
  expect([
    await found('(a+)+$'),
    await found('100%'),
    await found('1_0%'),
    await found('.*'),
    await found('\\'),
  ]).toEqual([1, 1, 0, 0, 0]);
  const { retrieval } = await ada.knowledge.tryQuestion({
    id,
    question: '((((((a+)+)+)+)+)+)+$ & | ! <-> :*',
  });
  expect(retrieval.milliseconds).toBeLessThan(10_000);
});
