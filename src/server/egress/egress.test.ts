import { createServer as createTlsServer } from 'node:tls';
import type { AddressInfo } from 'node:net';
import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { errorTable } from '../../contract/errors.ts';
import { createLog } from '../log.ts';
import { createEgress, type Egress } from './egress.ts';
import { innerAddress, innerAddresses } from './inner-addresses.testing.ts';
import { openLoopbackSite, type LoopbackSite } from './loopback-site.testing.ts';
import { targetOf } from './target.ts';

const log = createLog({ logLevel: 'silent' });
const notAllowed = { code: 'egress/url-not-allowed', message: errorTable['egress/url-not-allowed'][1] };

/** Stands for something that must not be reached. */
let inside: LoopbackSite;
/** Stands for a public site: it is on the operator's list, and its name resolves to this machine. */
let site: LoopbackSite;
let origin: string;
let egress: Egress;
const seen: { path: string; headers: IncomingHttpHeaders }[] = [];
let redirectTo = '';

beforeAll(async () => {
  inside = await openLoopbackSite((request, response) => {
    seen.push({ path: request.url ?? '', headers: request.headers });
    response.end('secret');
  });
  site = await openLoopbackSite((request, response) => {
    const path = request.url ?? '';
    seen.push({ path, headers: request.headers });
    const [, status, left] = /^\/redirect\/(\d+)(?:\/(\d+))?/.exec(path) ?? [];
    if (!status)
      return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`page ${path}`);
    const location = left && left !== '1' ? `/redirect/${status}/${Number(left) - 1}` : redirectTo;
    return response.writeHead(Number(status), { location, 'set-cookie': 'visit=1; Path=/' }).end('moved');
  });
  origin = `http://site.example:${site.port}`;
  egress = createEgress({
    log,
    allowedHosts: [`site.example:${site.port}`, `Other.example:${inside.port}`],
    resolve: async () => ['127.0.0.1'],
  });
});
beforeEach(() => {
  seen.length = 0;
});
afterAll(() => Promise.all([inside.close(), site.close()]));

test.each(innerAddresses)('%j is refused with the same message, and no connection is made', async (form) => {
  const url = innerAddress(form, inside.port);
  await expect(egress.fetch(url)).rejects.toMatchObject(notAllowed);
  expect(inside.connections()).toBe(0);
});

test.each([301, 302, 303, 307, 308])('a %i redirect to something internal is refused', async (status) => {
  const targets = [
    `http://127.0.0.1:${inside.port}/`,
    `//127.0.0.1:${inside.port}/`,
    `http://[::1]:${inside.port}/`,
    `http://2130706433:${inside.port}/`,
    `\\\\127.0.0.1:${inside.port}\\`,
    `http://localhost:${inside.port}/`,
    'http://169.254.169.254/latest/meta-data/',
    `http://name.example:${inside.port}/`,
    `http://u:p@site.example:${site.port}/`,
    'file:///etc/passwd',
    'data:text/html,x',
  ];
  for (const target of targets) {
    redirectTo = target;
    await expect(egress.fetch(`${origin}/redirect/${status}`), target).rejects.toMatchObject(notAllowed);
  }
  expect(inside.connections()).toBe(0);
});

test('five redirects are followed, a sixth is not', async () => {
  redirectTo = '/end#part';
  const { url, status, body } = await egress.fetch(`${origin}/redirect/302/5`);
  expect({ url, status, body: body.toString() }).toEqual({
    url: `${origin}/end`,
    status: 200,
    body: 'page /end',
  });
  await expect(egress.fetch(`${origin}/redirect/302/6`)).rejects.toMatchObject({
    code: 'egress/failed',
    message: 'The site redirects too often.',
  });
});

test('a name is resolved once per connection, and the connection goes to that address', async () => {
  const resolve = vi
    .fn(async () => ['127.0.0.1'])
    .mockResolvedValueOnce(['127.0.0.1'])
    .mockResolvedValue(['203.0.113.1']);
  const once = createEgress({ log, allowedHosts: [`site.example:${site.port}`], resolve });
  expect((await once.fetch(`${origin}/page`)).body.toString()).toBe('page /page');
  expect(resolve.mock.calls).toEqual([['site.example']]);
  expect(seen[0]?.headers.host).toBe(`site.example:${site.port}`);
});

test('when one address of a site does not answer, the next is tried', async () => {
  const twoWays = createEgress({
    log,
    allowedHosts: [`site.example:${site.port}`],
    resolve: async () => ['::1', '127.0.0.1'],
  });
  expect((await twoWays.fetch(`${origin}/page`)).status).toBe(200);
});

test('a name that has come to resolve to something internal since it was saved is refused', async () => {
  const resolve = vi.fn(async () => ['127.0.0.1']).mockResolvedValueOnce(['93.184.215.14']);
  const check = () => targetOf('http://rebound.example/', new Set(), resolve);
  expect((await check()).addresses).toEqual(['93.184.215.14']);
  await expect(check()).rejects.toMatchObject(notAllowed);
});

test.each([
  ['93.184.215.14', '127.0.0.1'],
  ['93.184.215.14', '::1'],
  ['10.0.0.1', '93.184.215.14'],
  ['::ffff:127.0.0.1'],
])('a name is refused when one of its addresses is internal (%s %s)', async (...addresses) => {
  const mixed = createEgress({ log, allowedHosts: [], resolve: async () => addresses });
  await expect(mixed.fetch(`http://mixed.example:${inside.port}/`)).rejects.toMatchObject(notAllowed);
  expect(inside.connections()).toBe(0);
});

test('the operator opens exactly one host and port', async () => {
  const opened = createEgress({ log, allowedHosts: [`127.0.0.1:${site.port}`] });
  const { status, contentType, body } = await opened.fetch(`http://127.1:${site.port}/a?b=c`);
  expect({ status, contentType, body: body.toString() }).toEqual({
    status: 200,
    contentType: 'text/html; charset=utf-8',
    body: 'page /a?b=c',
  });
  for (const url of [
    `http://127.0.0.1:${inside.port}/`,
    `http://localhost:${site.port}/`,
    `http://127.0.0.2:${site.port}/`,
  ]) {
    await expect(opened.fetch(url)).rejects.toMatchObject(notAllowed);
  }
  expect(inside.connections()).toBe(0);
});

test('proxy variables are ignored', async () => {
  for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'])
    vi.stubEnv(name, `http://127.0.0.1:${inside.port}`);
  expect((await egress.fetch(`${origin}/direct`)).body.toString()).toBe('page /direct');
  expect(inside.connections()).toBe(0);
  vi.unstubAllEnvs();
});

test('credentials follow a redirect on the same site', async () => {
  redirectTo = '/end';
  await egress.fetch(`${origin}/redirect/302`, { headers: { Authorization: 'Bearer x' } });
  expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer x', 'Bearer x']);
  expect(seen[1]?.headers.cookie).toBeUndefined();
});

test('nothing of the caller’s follows a redirect to another site', async () => {
  redirectTo = `http://other.example:${inside.port}/elsewhere`;
  const headers = {
    authorization: 'Bearer x',
    cookie: 'a=b',
    'x-api-key': 'k',
    referer: 'r',
    'accept-language': 'de',
  };
  const response = await egress.fetch(`${origin}/redirect/307`, { headers });
  expect(response.headers).not.toHaveProperty('set-cookie');
  const received: IncomingHttpHeaders = seen.at(-1)?.headers ?? {};
  expect(Object.keys(received).toSorted()).toEqual([
    'accept',
    'accept-encoding',
    'accept-language',
    'connection',
    'host',
    'user-agent',
  ]);
  expect(received.host).toBe(`other.example:${inside.port}`);
});

test('headers cannot break out of their line or control the connection', async () => {
  for (const headers of [
    { 'x-a': 'b\r\nhost: c' },
    { 'x\r\ny': 'a' },
    { 'x-a': 'b\u0000' },
    { 'x-a': '\u0101' },
    { '': 'a' },
  ]) {
    await expect(egress.fetch(`${origin}/`, { headers })).rejects.toMatchObject({ code: 'request/invalid' });
  }
  expect(seen).toEqual([]);
  await egress.fetch(`${origin}/`, {
    headers: { Host: 'inside.example', 'Transfer-Encoding': 'chunked', 'X-Forwarded-For': '127.0.0.1' },
  });
  expect(seen[0]?.headers).toMatchObject({ host: `site.example:${site.port}` });
  expect(seen[0]?.headers).not.toHaveProperty('x-forwarded-for');
});

test('TLS validates the certificate against the name, and an invalid one is a failure', async () => {
  const names: string[] = [];
  const server = createTlsServer({
    SNICallback: (name, done) => done(new Error(`no ${names.push(name)}`)),
  }).on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const secure = createEgress({
    log,
    allowedHosts: [`secure.example:${port}`],
    resolve: async () => ['127.0.0.1'],
  });
  await expect(secure.fetch(`https://secure.example:${port}/`)).rejects.toMatchObject({
    code: 'egress/failed',
  });
  expect(names).toEqual(['secure.example']);
  server.close();
});
