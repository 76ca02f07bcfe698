import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { ApiError } from '../../../contract/client.ts';
import { errorTable } from '../../../contract/errors.ts';
import { innerAddress, innerAddresses } from '../../egress/inner-addresses.testing.ts';
import { openLoopbackSite, type LoopbackSite } from '../../egress/loopback-site.testing.ts';

let product: Product;
let site: LoopbackSite;
/** Stands for something that must not be reached. */
let inside: LoopbackSite;
let origin: string;
let owner: TestClient;
let agent: { id: string; organizationId: string };

const MIB = 1024 * 1024;
const page = (title: string, ...links: string[]) =>
  `<title>${title}</title><main><p>Words of ${title}.</p>${links.map((href) => `<a href="${href}">.</a>`).join('')}</main>`;
const files: Record<string, [headers: Record<string, string>, body: string | Buffer]> = {
  '/': [{}, page('Home', '/a')],
  '/a': [{}, page('A', '/')],
  '/gzip-bomb': [{ 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(100 * MIB), { level: 1 })],
  '/long': [{}, `<table>${'<tr><td>x</td></tr>'.repeat(400_000)}`],
  '/deep': [{}, '<div>'.repeat(100_000)],
  '/picture': [{ 'content-type': 'image/png' }, 'PNG'],
  '/scripts': [{}, '<script>document.write("x")</script>'],
  '/charset': [{ 'content-type': 'text/html; charset=utf-99' }, '<p>Grüße'],
  '/links': [
    {},
    `<p>Links.</p>${Array.from({ length: 90_000 }, (_, n) => `<a href="/${n}">x</a>`).join('')}`,
  ],
};

beforeAll(async () => {
  inside = await openLoopbackSite((_request, response) => response.end(page('secret')));
  site = await openLoopbackSite((request, response) => {
    const path = request.url ?? '';
    const [, status] = /^\/to-inside\/(\d+)/.exec(path) ?? [];
    if (status)
      return response.writeHead(Number(status), { location: `http://127.0.0.1:${inside.port}/` }).end();
    if (path === '/away') return response.writeHead(302, { location: `${origin}/elsewhere` }).end();
    const [headers, body] = files[path] ?? [];
    if (body === undefined) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body);
  });
  origin = `http://127.0.0.1:${site.port}`;
  product = await startProduct({
    ssrfAllowedHosts: [`127.0.0.1:${site.port}`, `localhost:${site.port}`],
    crawlRequestsPerSecond: 1000,
  });
  owner = product.as('owner');
  const { organization } = await owner.organization.create({ name: 'Acme' });
  const { chatbot } = await owner.chatbot.create({ organizationId: organization.id, name: 'Helper' });
  agent = { id: chatbot.id, organizationId: organization.id };
});
beforeEach(() => {
  delete files['/sitemap.xml'];
  delete files['/robots.txt'];
});
afterAll(() => Promise.all([product.close(), site.close(), inside.close()]));

const looks = ['domainLinks', 'sitemapLinks'] as const;
let people = 0;
/** Each look comes from a separate address, to stay below the rate limit. */
async function look(call: (typeof looks)[number], website: string, credential?: Record<string, string>) {
  const { idToken } = await product.sessionOf('owner');
  const path = call === 'domainLinks' ? 'domain-links' : 'sitemap-links';
  const query = new URLSearchParams({ organizationId: agent.organizationId, website });
  people += 1;
  const response = await fetch(`${product.url}/v1/chatbot/${agent.id}/knowledge/website/${path}?${query}`, {
    headers: {
      'x-forwarded-for': `10.99.${people >> 8}.${people & 255}`,
      ...(credential ?? { authorization: `Bearer ${idToken}` }),
    },
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test('a website’s pages are shown before they are read', async () => {
  const found = await owner.website.domainLinks({ ...agent, website: origin });
  expect(found).toMatchObject({
    links: [
      { url: `${origin}/`, title: 'Home' },
      { url: `${origin}/a`, title: 'A' },
    ],
    pages: 2,
    isComplete: true,
  });
  files['/sitemap.xml'] = [{}, `<urlset><url><loc>${origin}/a</loc></url></urlset>`];
  expect(await owner.website.sitemapLinks({ ...agent, website: `127.0.0.1:${site.port}` })).toMatchObject({
    links: [{ url: `${origin}/a`, title: 'A' }],
    pages: 1,
  });
});

test.each([
  ['domainLinks', '/missing', 'The site answered 404: the page does not exist.'],
  ['domainLinks', '/scripts', 'The page has no readable text or links.'],
  ['sitemapLinks', '/', 'No sitemap was found there.'],
] as const)('what %s cannot find at %s is reported beside the field', async (call, path, message) => {
  await expect(owner.website[call]({ ...agent, website: origin + path })).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'website', message }],
  });
});

test('an agent named with another organization does not exist there', async () => {
  const { organization } = await owner.organization.create({ name: 'Another' });
  const elsewhere = { id: agent.id, organizationId: organization.id, website: origin };
  const before = site.connections();
  for (const call of looks) {
    await expect(owner.website[call](elsewhere)).rejects.toMatchObject({ status: 404 });
    await expect(product.as('stranger').website[call]({ ...agent, website: origin })).rejects.toMatchObject({
      status: 404,
    });
  }
  expect(site.connections()).toBe(before);
});

test('a foreign page cannot make the server look up sites for a signed-in user', async () => {
  const { idToken } = await product.sessionOf('owner');
  const before = site.connections();
  for (const from of [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'null' },
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site', origin: product.url },
  ]) {
    const headers = { cookie: `auth-token=${idToken}`, ...from };
    for (const call of looks) expect(await look(call, origin, headers)).toMatchObject({ status: 403 });
  }
  expect(site.connections()).toBe(before);
  for (const from of [{ 'sec-fetch-site': 'same-origin' }, { origin: product.url }])
    expect((await look('domainLinks', origin, { cookie: `auth-token=${idToken}`, ...from })).status).toBe(
      200,
    );
});

const notAllowed = {
  status: 400,
  code: 'egress/url-not-allowed',
  detail: errorTable['egress/url-not-allowed'][1],
};

/**
 * Where this process's sockets try to connect while `work` runs, and whose they are, other than its own server, its
 * database and the website.
 */
async function attemptsDuring(work: () => Promise<void>): Promise<string[]> {
  const database = URL.parse(product.databaseUrl)?.port ?? '';
  const own = new Set([new URL(product.url).port, database, String(site.port)]);
  const attempts: string[] = [];
  const note = (message: unknown) => {
    const { stack } = new Error('Opened by:');
    (message as { socket: Socket }).socket.on('connectionAttempt', (address, port) => {
      // A database may also be reached through a file.
      if (port !== undefined && !own.has(String(port))) attempts.push(`${address}:${port} ${stack}`);
    });
  };
  subscribe('net.client.socket', note);
  await work().finally(() => unsubscribe('net.client.socket', note));
  return attempts;
}

test('no spelling of an internal address gets through, and all are refused with the same message', async () => {
  const attempts = await attemptsDuring(async () => {
    for (const form of innerAddresses) {
      // A nonexistent name can't be rejected for what it resolves to.
      if (form.includes('name.example') || form === '') continue;
      for (const call of looks) {
        const { status, body } = await look(call, innerAddress(form, inside.port));
        expect({ status, code: body['code'], detail: body['detail'] }, `${call} ${form}`).toEqual(notAllowed);
      }
    }
  });
  expect(attempts).toEqual([]);
  expect(inside.connections()).toBe(0);
});

test.each([301, 302, 303, 307, 308])('a redirect by %i reaches no internal address', async (status) => {
  for (const call of looks)
    await expect(owner.website[call]({ ...agent, website: `${origin}/to-inside/${status}` })).rejects.toThrow(
      ApiError,
    );
  expect(inside.connections()).toBe(0);
});

test('robots.txt, sitemaps, nested sitemaps and pages lead to no internal address', async () => {
  const to = `http://127.0.0.1:${inside.port}`;
  files['/robots.txt'] = [
    {},
    `Sitemap: ${to}/s.xml\nSitemap: ${origin}/to-inside/302\nSitemap: ${origin}/index.xml`,
  ];
  files['/index.xml'] = [
    {},
    `<sitemapindex><sitemap><loc>${to}/s.xml</loc></sitemap><sitemap><loc>${origin}/own.xml</loc></sitemap></sitemapindex>`,
  ];
  files['/own.xml'] = [
    {},
    `<urlset><url><loc>${to}/page</loc></url><url><loc>${origin}/to-inside/307</loc></url><url><loc>${origin}/a</loc></url></urlset>`,
  ];
  files['/meta'] = [
    {},
    `<meta http-equiv="refresh" content="0;url=${to}/">${page('Meta', `${to}/x`, '/to-inside/301')}`,
  ];
  const other = await openLoopbackSite((_request, response) =>
    response.writeHead(302, { location: `${to}/robots.txt` }).end(),
  );
  for (const website of [
    `${origin}/`,
    `${origin}/meta`,
    `${origin}/index.xml`,
    `http://127.0.0.1:${other.port}/`,
  ])
    for (const call of looks) await owner.website[call]({ ...agent, website }).catch(() => undefined);
  expect([inside.connections(), other.connections()]).toEqual([0, 0]);
  await other.close();
});

test('a whole site is read as it was shown: without what robots.txt forbids, or what leads to another site', async () => {
  // No other test asks under this name, so its robots.txt isn't known yet.
  const whole = `http://localhost:${site.port}`;
  files['/whole'] = [{}, page('Whole', '/private', '/away', '/a')];
  files['/elsewhere'] = [{}, page('Elsewhere')];
  files['/robots.txt'] = [{}, 'User-agent: *\nDisallow: /private'];
  files['/whole.xml'] = [
    {},
    `<urlset>${['/private', '/a'].map((path) => `<url><loc>${whole}${path}</loc></url>`).join('')}</urlset>`,
  ];
  const read = async (path: string, mode: 'domain' | 'sitemap') =>
    [...(await readAll([whole + path], 'website', { mode }))].map(([url, { state }]) => [
      url?.slice(whole.length),
      state,
    ]);
  expect(await read('/whole', 'domain')).toEqual([
    ['/whole', 'ready'],
    ['/a', 'ready'],
    ['/', 'ready'],
  ]);
  expect(await read('/whole.xml', 'sitemap')).toEqual([['/a', 'ready']]);
});

test('a page that forwards its readers stands for the page they arrive at', async () => {
  const forward = (to: string) => `<meta content="0; URL='${to}'" http-equiv="Refresh">`;
  files['/forward'] = [{}, `<!doctype html>${forward('start?x=1&amp;y=2')}<p>Redirecting…`];
  files['/start?x=1&y=2'] = [{}, page('Start', '/a')];
  files['/circle'] = [{}, `${forward('/circle-2')}<p>Round.`];
  files['/circle-2'] = [{}, `${forward('/circle')}<p>And round.`];
  files['/scripted'] = [{}, `<noscript>${forward('/a')}</noscript><p>Made by scripts.`];
  const found = await owner.website.domainLinks({ ...agent, website: `${origin}/forward` });
  expect(found.links.map(({ title }) => title)).toEqual(['Start', 'A', 'Home']);
  const paths = ['/forward', '/circle', '/scripted'];
  const sources = await readAll(paths.map((path) => origin + path));
  expect(paths.map((path) => sources.get(origin + path)?.title)).toEqual([
    'Start',
    `${origin}/circle`,
    `${origin}/scripted`,
  ]);
});

test('internal ports with and without a listener cannot be told apart', async () => {
  const closed = await openLoopbackSite(() => {});
  await closed.close();
  const answers = [];
  for (const port of [inside.port, closed.port, 22, 443])
    for (const host of ['127.0.0.1', 'localhost', '10.0.0.1', '[::1]']) {
      const began = performance.now();
      const { requestId: _requestId, ...body } = (await look('domainLinks', `http://${host}:${port}/`)).body;
      answers.push({ body, isQuick: performance.now() - began < 1000 });
    }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]).toMatchObject({ body: notAllowed, isQuick: true });
});

/** The error code when an item is rejected; undefined: it isn't, and is removed again. */
async function refusalOf(input: Parameters<typeof owner.knowledge.create>[0]): Promise<string | undefined> {
  try {
    const { knowledge } = await owner.knowledge.create(input);
    await owner.knowledge.remove({ id: agent.id, knowledgeId: knowledge.id });
    return undefined;
  } catch (error) {
    return error instanceof ApiError ? error.code : String(error);
  }
}

/** The outcome of a website item with these addresses, once all have been read or have failed. */
async function readAll(
  links: string[],
  type: 'website' | 'product' = 'website',
  site?: { mode: 'domain' | 'sitemap' },
) {
  const { knowledge } = await owner.knowledge.create({ ...agent, type, links, ...(site && { site }) });
  const item = { id: agent.id, knowledgeId: knowledge.id };
  await vi.waitUntil(
    async () => {
      const { state } = (await owner.knowledge.get(item)).knowledge.progress;
      return state === 'ready' || state === 'failed';
    },
    { timeout: 60_000, interval: 100 },
  );
  const { sources } = await owner.source.list({ ...item, count: 100 });
  return new Map(sources.map(({ url, title, state, error }) => [url, { title, state, error }]));
}

test.each(['website', 'product'] as const)(
  'no address of a %s item reaches an internal host',
  async (type) => {
    const links = innerAddresses
      .map((form) => innerAddress(form, inside.port))
      .filter((link) => /^https?:\/\/[^\s\\]+$/.test(link) && URL.canParse(link))
      .slice(0, 99);
    const attempts = await attemptsDuring(async () => {
      // Only connecting reveals these.
      const written = [`${origin}/to-inside/302`];
      for (const link of links) {
        const made = await refusalOf({ ...agent, type, links: [link] });
        if (made === undefined) written.push(link);
        else expect([link, made]).toEqual([link, 'egress/url-not-allowed']);
      }
      expect(links.length - written.length).toBeGreaterThan(40);
      const sources = await readAll(written, type);
      expect(sources.size).toBe(written.length);
      for (const { state } of sources.values()) expect(state).toBe('failed');
    });
    expect(attempts).toEqual([]);
    expect(inside.connections()).toBe(0);
  },
);

test('pages built to harm their reader fail with a reason or are read, without blocking others', async () => {
  let slowest = 0;
  const reading = new AbortController();
  const others = (async () => {
    while (!reading.signal.aborted) {
      const began = performance.now();
      await product.as('other').organization.list();
      slowest = Math.max(slowest, performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  await product.as('other').organization.list();
  const weapons = ['/gzip-bomb', '/long', '/deep', '/picture', '/scripts', '/charset', '/links'];
  const sources = await readAll(weapons.map((path) => origin + path));
  reading.abort();
  await others;
  const of = (path: string) => sources.get(origin + path);
  expect(of('/gzip-bomb')?.error).toContain('5 MB');
  expect(of('/long')?.error).toContain('5 MB');
  expect(of('/picture')?.error).toContain('image/png');
  expect(of('/scripts')?.error).toContain('no text');
  expect(of('/deep')).toMatchObject({ state: 'failed', error: expect.stringContaining('cannot be read') });
  expect([of('/charset')?.state, of('/links')?.state]).toEqual(['ready', 'ready']);
  expect(slowest).toBeLessThan(5000);
});
