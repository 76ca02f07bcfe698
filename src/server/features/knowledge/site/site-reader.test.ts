import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createEgress, type Egress } from '../../../egress/egress.ts';
import { openLoopbackSite, type LoopbackSite } from '../../../egress/loopback-site.testing.ts';
import { createLog } from '../../../log.ts';
import { createSiteReader } from './site-reader.ts';

type Answer = [status: number, headers: Record<string, string>, body?: string];

let site: LoopbackSite;
let seen: { path: string; host: string; at: number; headers: IncomingHttpHeaders }[] = [];
/** The responses per path, in order; the last one is repeated. */
let answers: Record<string, Answer[]> = {};

beforeAll(async () => {
  site = await openLoopbackSite((request, response: ServerResponse) => {
    const path = request.url ?? '';
    const host = request.headers.host ?? '';
    seen.push({ path, host, at: performance.now(), headers: request.headers });
    const left = answers[`${host.split(':')[0]}${path}`] ?? answers[path] ?? [[404, {}]];
    const [status, headers, body = ''] = (left.length > 1 ? left.shift() : left[0]) ?? [404, {}];
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);
  });
});
beforeEach(() => {
  seen = [];
  sent = [];
  answers = {};
});
afterAll(() => site.close());

const hosts = ['a.example', 'b.example'];
const address = (path: string, host = 'a.example') => `http://${host}:${site.port}${path}`;
const paths = () => seen.map(({ path }) => path);
/** When each request was sent; when it arrives depends on how busy the machine is. */
let sent: { path: string; at: number }[] = [];
const gapsOf = (path: string) =>
  sent
    .filter((request) => request.path.startsWith(path))
    .map(({ at }, index, all) => at - (all[index - 1]?.at ?? at))
    .slice(1);

/** Simulates a separate process, with its own egress. */
function newEgress(): Egress {
  const egress = createEgress({
    log: createLog({ logLevel: 'silent' }),
    allowedHosts: hosts.map((host) => `${host}:${site.port}`),
    resolve: async () => ['127.0.0.1'],
  });
  return {
    fetch: (url, options) => {
      sent.push({ path: new URL(url).pathname, at: performance.now() });
      return egress.fetch(url, options);
    },
  };
}
const newReader = (requestsPerSecond = 1000, egress = newEgress()) =>
  createSiteReader({ egress, requestsPerSecond });
const signal = new AbortController().signal;

test('a page comes with its validators, and is then requested with them', async () => {
  answers['/page?utm_source=x'] = [
    [
      200,
      { etag: '"1"', 'last-modified': 'Mon, 01 Jun 2026 00:00:00 GMT', 'x-robots-tag': 'noindex' },
      '<p>Hi',
    ],
  ];
  answers['/page'] = [[304, {}]];
  const reader = newReader();
  const page = await reader.fetchPage(address('/page?utm_source=x'), { signal });
  expect(page).toMatchObject({
    kind: 'page',
    url: address('/page'),
    etag: '"1"',
    lastModified: 'Mon, 01 Jun 2026 00:00:00 GMT',
    request: { kind: 'html', url: address('/page'), robotsTag: 'noindex' },
  });
  const { etag, lastModified } = page as { etag: string; lastModified: string };
  expect(await reader.fetchPage(address('/page'), { signal, etag, lastModified })).toEqual({
    kind: 'unchanged',
  });
  expect(seen.at(-1)?.headers).toMatchObject({
    'if-none-match': '"1"',
    'if-modified-since': 'Mon, 01 Jun 2026 00:00:00 GMT',
    'user-agent': 'ParleyBot',
  });
});

test.each([404, 410])('a page that answers %i is gone', async (status) => {
  answers['/x'] = [[status, {}, 'sorry']];
  const answer = await newReader().fetchPage(address('/x'), { signal });
  expect(answer).toEqual({ kind: 'gone', reason: `The site answered ${status}: the page does not exist.` });
});

test.each([401, 403, 500, 418])('a page that answers %i is a failure, not gone', async (status) => {
  answers['/x'] = [[status, {}]];
  await expect(newReader().fetchPage(address('/x'), { signal })).rejects.toThrow(
    `The site answered ${status}.`,
  );
});

test('an unreadable content type is reported', async () => {
  answers['/x'] = [[200, { 'content-type': 'image/png' }]];
  await expect(newReader().fetchPage(address('/x'), { signal })).rejects.toThrow('image/png');
});

test('a site’s rules are fetched once for all readers, and followed', async () => {
  answers['/robots.txt'] = [[200, { 'content-type': 'text/plain' }, 'User-agent: *\nDisallow: /private']];
  answers['/open'] = [[200, {}, 'Open.']];
  const egress = newEgress();
  const [one, two] = [newReader(1000, egress), newReader(1000, egress)];
  const reads = await Promise.allSettled([
    one.fetchPage(address('/open'), { signal }),
    two.fetchPage(address('/open'), { signal }),
    one.fetchPage(address('/private/x'), { signal }),
    two.sitemapPages(address('/private/sitemap.xml'), { signal }),
  ]);
  expect(reads.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
  expect(paths().toSorted()).toEqual(['/open', '/open', '/robots.txt']);
});

test('a reader who gives up while the rules are fetched does not abort the others', async () => {
  answers['/open'] = [[200, {}, 'Open.']];
  const reader = newReader();
  const controller = new AbortController();
  const [leaving, staying] = [
    reader.fetchPage(address('/open'), { signal: controller.signal }),
    reader.fetchPage(address('/open'), { signal }),
  ];
  controller.abort(new Error('Enough.'));
  await expect(leaving).rejects.toThrow('Enough.');
  await expect(staying).resolves.toMatchObject({ kind: 'page' });
});

test.each([500, 503, 429])('nothing is read of a site whose rules answer %i', async (status) => {
  answers['/robots.txt'] = [[status, {}]];
  answers['/open'] = [[200, {}, 'Open.']];
  await expect(newReader().fetchPage(address('/open'), { signal })).rejects.toThrow(
    'so nothing on it is read',
  );
  expect(paths()).toEqual(['/robots.txt']);
});

test('rules are fetched again after an hour, and the old ones stay if that fails', async () => {
  answers['/robots.txt'] = [
    [200, {}, 'User-agent: *\nDisallow: /private'],
    [500, {}],
    [500, {}],
    [404, {}],
  ];
  answers['/open'] = [[200, {}, 'Open.']];
  answers['/private'] = [[200, {}, 'Private.']];
  const reader = newReader();
  const now = performance.now.bind(performance);
  let later = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + later);
  const rulesAsked = async () => {
    await expect(reader.fetchPage(address('/open'), { signal })).resolves.toMatchObject({ kind: 'page' });
    await expect(reader.fetchPage(address('/private'), { signal })).rejects.toThrow('robots.txt');
    return paths().filter((path) => path === '/robots.txt').length;
  };
  expect(await rulesAsked()).toBe(1);
  later += 3_500_000;
  expect(await rulesAsked()).toBe(1);
  later += 200_000;
  expect(await rulesAsked()).toBe(2);
  later += 61_000;
  expect(await rulesAsked()).toBe(3);
  later += 61_000;
  await expect(reader.fetchPage(address('/private'), { signal })).resolves.toMatchObject({ kind: 'page' });
  vi.restoreAllMocks();
});

test('after a redirect the rules of its target apply as well', async () => {
  answers['a.example/to-b'] = [[302, { location: address('/x', 'b.example') }]];
  answers['a.example/to-private'] = [[302, { location: '/private' }]];
  answers['a.example/robots.txt'] = [[200, {}, 'User-agent: *\nDisallow: /private']];
  answers['b.example/robots.txt'] = [[200, {}, 'User-agent: *\nDisallow: /']];
  const reader = newReader();
  await expect(reader.fetchPage(address('/to-b'), { signal })).rejects.toThrow('robots.txt');
  await expect(reader.fetchPage(address('/to-private'), { signal })).rejects.toThrow('robots.txt');
});

test('requests to one host are spaced out, whoever makes them; another host does not wait', async () => {
  const egress = newEgress();
  const [one, two] = [newReader(5, egress), newReader(5, egress)];
  await Promise.all([
    ...[1, 2].map((number) => one.fetchPage(address(`/p${number}`), { signal })),
    ...[3, 4].map((number) => two.fetchPage(address(`/p${number}`), { signal })),
    one.fetchPage(address('/other', 'b.example'), { signal }),
  ]);
  for (const gap of gapsOf('/p')) expect(gap).toBeGreaterThan(195);
  const order = sent.map(({ path }) => path).filter((path) => path !== '/robots.txt');
  expect(order.indexOf('/other')).toBeLessThan(4);
});

test('a site that asks for more time gets it', async () => {
  answers['/robots.txt'] = [[200, {}, 'User-agent: *\nCrawl-delay: 0.4']];
  const reader = newReader();
  await Promise.all(['/p1', '/p2'].map((path) => reader.fetchPage(address(path), { signal })));
  expect(gapsOf('/p')[0]).toBeGreaterThan(380);
});

test('a reader who stops waiting costs the others no time', async () => {
  answers['/robots.txt'] = [[200, {}, 'User-agent: *\nCrawl-delay: 0.5']];
  const reader = newReader();
  await reader.fetchPage(address('/p0'), { signal });
  const leaving = Array.from({ length: 10 }, () =>
    reader.fetchPage(address('/left'), { signal: AbortSignal.timeout(50) }),
  );
  const staying = reader.fetchPage(address('/p1'), { signal });
  expect((await Promise.allSettled(leaving)).every(({ status }) => status === 'rejected')).toBe(true);
  await staying;
  expect(gapsOf('/p')[0]).toBeLessThan(2500);
  expect(paths()).not.toContain('/left');
});

test('a busy site is retried when it asked to be, and not contacted before', async () => {
  answers['/p1'] = [
    [503, { 'retry-after': '1' }],
    [200, {}, 'There.'],
  ];
  answers['/p2'] = [[200, {}, 'There.']];
  const reader = newReader();
  const [busy] = await Promise.all(['/p1', '/p2'].map((path) => reader.fetchPage(address(path), { signal })));
  expect(busy).toMatchObject({ kind: 'page' });
  expect(paths().filter((path) => path === '/p1')).toHaveLength(2);
  expect(gapsOf('/p1')[0]).toBeGreaterThan(980);
});

test('one that stays busy, or for too long, is a failure', async () => {
  answers['/always'] = [[429, { 'retry-after': '0' }]];
  answers['/long'] = [[429, { 'retry-after': '86400' }]];
  const reader = newReader();
  await expect(reader.fetchPage(address('/always'), { signal })).rejects.toThrow('The site answered 429.');
  expect(paths().filter((path) => path === '/always')).toHaveLength(3);
  await expect(reader.fetchPage(address('/long'), { signal })).rejects.toThrow('The site answered 429.');
  expect(paths().filter((path) => path === '/long')).toHaveLength(1);
});

test('a page that redirects browsers by itself is read as it is', async () => {
  const refresh = `<meta http-equiv="refresh" content="0;url=${address('/secret', 'b.example')}"><p>Moving.`;
  answers['/x'] = [[200, { refresh: `0;url=${address('/secret', 'b.example')}` }, refresh]];
  expect(await newReader().fetchPage(address('/x'), { signal })).toMatchObject({ url: address('/x') });
  expect(paths()).toEqual(['/robots.txt', '/x']);
});

test('a name that resolves to something internal after its rules were read is not followed there', async () => {
  const inside = await openLoopbackSite((_request, response) => response.end('secret'));
  const url = `http://rebound.example:${inside.port}/`;
  for (const place of [['127.0.0.1'], ['2001:4860:4860::8888', '::1'], ['::ffff:127.0.0.1']]) {
    const resolved: string[] = [];
    const egress = createEgress({
      log: createLog({ logLevel: 'silent' }),
      allowedHosts: [],
      resolve: async (host) => (resolved.push(host), place),
    });
    const rules = { status: 404, headers: {}, url, body: Buffer.alloc(0), contentType: '' };
    const reader = newReader(1000, {
      fetch: async (address, options) =>
        address.endsWith('/robots.txt') ? rules : egress.fetch(address, options),
    });
    await expect(reader.fetchPage(url, { signal })).rejects.toMatchObject({ code: 'egress/url-not-allowed' });
    expect(resolved).toEqual(['rebound.example']);
  }
  expect(inside.connections()).toBe(0);
  await inside.close();
});

test.each(['', 'nothing', 'file:///etc/passwd', 'http://', 'javascript:alert(1)', '//a.example/'])(
  '%j is refused before any request',
  async (url) => {
    const refused = { code: 'egress/url-not-allowed' };
    await expect(newReader().fetchPage(url, { signal })).rejects.toMatchObject(refused);
    await expect(newReader().sitemapPages(url, { signal })).rejects.toMatchObject(refused);
    expect(seen).toEqual([]);
  },
);
