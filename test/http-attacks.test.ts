import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ZodType } from 'zod';
import { pathParameters, type Route } from '../src/contract/route.ts';
import { calls } from './access/calls.ts';
import { startProduct, type Product } from './product.ts';

/** Requests that no HTTP client makes, byte by byte, and meaningless bodies and headers. */

let product: Product;
let token: string;
const logged: string[] = [];
beforeAll(async () => {
  product = await startProduct({ logLevel: 'info' }, { logged });
  token = (await product.sessionOf('ada')).idToken;
});
afterAll(() => product.close());

/** The response to these bytes until the server closes, or for a second. */
async function exchange(bytes: string): Promise<string> {
  const { hostname, port } = new URL(product.url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (data: Buffer) => (received += data.toString('latin1')));
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  socket.write(bytes);
  await Promise.race([once(socket, 'close'), new Promise((resolve) => setTimeout(resolve, 1000))]);
  socket.destroy();
  return received;
}

function isNothingNeeded({ path, input }: Route): boolean {
  const inPath = pathParameters(path);
  return Object.entries(input.shape as Record<string, ZodType>).every(
    ([field, schema]) => inPath.includes(field) || schema.safeParse(undefined).success,
  );
}

const HOST = 'host: localhost\r\n';
const JSON_TYPE = 'content-type: application/json\r\n';
const hidden = 'GET /v1/hidden HTTP/1.1\r\nhost: localhost\r\n\r\n';

describe('a request with ambiguous length is refused, and a request hidden in it is never answered', () => {
  test.each([
    ['both lengths', `content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`],
    [
      'both lengths, the other way round',
      `transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n0\r\n\r\n${hidden}`,
    ],
    ['two lengths', `content-length: 0\r\ncontent-length: 44\r\n\r\n${hidden}`],
    ['a length with a sign', `content-length: +0\r\n\r\n${hidden}`],
    ['a length in hexadecimal', `content-length: 0x0\r\n\r\n${hidden}`],
    ['a list of lengths', `content-length: 0, 44\r\n\r\n${hidden}`],
    ['an unknown coding', `transfer-encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`],
    ['chunked, and then something', `transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n${hidden}`],
    ['chunked twice', `transfer-encoding: chunked\r\ntransfer-encoding: x\r\n\r\n0\r\n\r\n${hidden}`],
    [
      'a header folded over two lines',
      `transfer-encoding:\r\n chunked\r\ncontent-length: 3\r\n\r\n0\r\n\r\n${hidden}`,
    ],
    ['a blank before the colon', `content-length : 0\r\n\r\n${hidden}`],
    ['a chunk of a strange size', `transfer-encoding: chunked\r\n\r\n-1\r\n\r\n${hidden}`],
    ['a line that ends without a return', `x: y\ntransfer-encoding: chunked\n\r\n0\r\n\r\n${hidden}`],
  ])('%s', async (_what, rest) => {
    const answer = await exchange(`POST /v1/log HTTP/1.1\r\n${HOST}${JSON_TYPE}${rest}`);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d/);
    expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
    expect(answer).not.toContain('/v1/hidden');
  });
});

test('unfinished requests hold up nobody else', async () => {
  const { hostname, port } = new URL(product.url);
  const slow = Array.from({ length: 300 }, () => connect(Number(port), hostname));
  for (const socket of slow) {
    socket.on('error', () => socket.destroy());
    socket.write(`POST /v1/log HTTP/1.1\r\n${HOST}${JSON_TYPE}content-length: 1000\r\n\r\n{"log":"`);
  }
  const times: number[] = [];
  for (let request = 0; request < 40; request += 1) {
    const started = performance.now();
    expect((await fetch(`${product.url}/v1/auth/providers`)).status).toBeLessThan(500);
    times.push(performance.now() - started);
  }
  for (const socket of slow) socket.destroy();
  expect(times.toSorted((a, b) => a - b)[20]).toBeLessThan(2500);
});

describe('a body that is not an object is a 400 for every call that takes one', () => {
  const takers = calls
    .filter(([, { carrier }]) => carrier === 'body')
    .map(([name, route]) => ({ name, route }));
  test.each(takers)('$name', async ({ route }) => {
    const url = route.path.replace(/\{\w+\}/g, 'x');
    // If no field is required, an empty body is valid.
    const nothing = isNothingNeeded(route) ? [] : [''];
    for (const payload of ['null', '[]', '1', '"x"', 'true', '{', ...nothing]) {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'x-forwarded-for': '10.9.9.9',
      };
      const response = await product.app.http.inject({ method: route.method, url, headers, payload });
      expect([payload, [400, 403, 404, 429].includes(response.statusCode)]).toEqual([payload, true]);
    }
  });
});

test.each([
  ['authorization', 'Bearer'],
  ['authorization', 'Bearer a b c'],
  ['authorization', `Bearer ${'x'.repeat(10_000)}`],
  ['authorization', 'Basic !!!'],
  ['cookie', 'auth-token=%E0%A4%A; ;;=;=x'],
  ['accept', '/;q=,,;'],
  ['range', `bytes=${'0-,'.repeat(1000)}`],
  ['if-none-match', '"'.repeat(1000)],
  ['if-modified-since', 'never'],
  ['host', 'a b'],
  ['expect', 'everything'],
  ['content-encoding', 'br, gzip, x'],
  ['accept-encoding', '*;q=0, x'],
  ['accept-language', '-'.repeat(1000)],
  ['x-forwarded-for', '1.2.3.4, ::ffff, x'],
])('a meaningless header does no harm: %s: %.40s', async (name, value) => {
  for (const path of ['/v1/chat', '/v1/auth/providers', '/', '/healthz', '/files/x']) {
    const answer = await exchange(
      `GET ${path} HTTP/1.1\r\n${name === 'host' ? '' : HOST}${name}: ${value}\r\nconnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 [234]\d\d/);
  }
});

test('no unintended file or path is served', async () => {
  const paths = [
    '.env',
    '.git/config',
    '.git/HEAD',
    'sw.js.map',
    'metrics',
    'debug',
    'debug/pprof',
    'server-status',
    'admin',
    'phpinfo.php',
  ];
  const more = [
    'package.json',
    'package-lock.json',
    'src/server/main.ts',
    'data/secret.key',
    'secret.key',
    'assets/',
    'assets/..%2f..%2fpackage.json',
    'backup.zip',
    '.well-known/',
    'wp-login.php',
    'node_modules/zod/package.json',
    'index.html.bak',
    '..%2f..%2fpackage.json',
  ];
  for (const path of [...paths, ...more]) {
    const response = await fetch(`${product.url}/${path}`, { headers: { accept: '*/*' } });
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.text()).not.toMatch(/"dependencies"|secret|\[core\]/);
  }
});

test('a browser’s report is one log line, up to the documented length', async () => {
  const send = (log: string) =>
    fetch(`${product.url}/v1/log`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '10.8.8.8' },
      body: JSON.stringify({ log }),
    });
  const before = logged.length;
  expect((await send('first\n{"level":60,"msg":"forged"}\r\n\u001b[31mred\u001b[0m')).status).toBe(200);
  const lines = logged.slice(before).filter((line) => line.includes('forged'));
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd()).not.toMatch(/\p{Cc}/u);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: 'browser report', level: 40 });
  expect((await send('x'.repeat(1024 * 1024))).status).toBeGreaterThanOrEqual(400);
});

test('too deeply nested JSON is refused before parsing', async () => {
  const response = await fetch(`${product.url}/v1/log`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '10.7.7.7' },
    body: `${'['.repeat(100)}${']'.repeat(100)}`,
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ detail: 'The JSON is nested too deeply.' });
});

test('an unexpected failure reveals no details', async () => {
  const { owner } = product.app.deps.db;
  await owner.query('alter table conversation rename to conversation_away');
  const response = await fetch(`${product.url}/v1/chat`, { headers: { authorization: `Bearer ${token}` } });
  await owner.query('alter table conversation_away rename to conversation');
  expect(response.status).toBe(500);
  const body = await response.text();
  expect(JSON.parse(body)).toMatchObject({
    code: 'server/error',
    detail: 'Something went wrong on our side.',
  });
  expect(body).not.toMatch(/relation|conversation|select|Error|at /);
});
