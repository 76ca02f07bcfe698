import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createEgress } from '../../../egress/egress.ts';
import { openLoopbackSite, type LoopbackSite } from '../../../egress/loopback-site.testing.ts';
import { createLog } from '../../../log.ts';
import { createSiteReader, type SiteReader } from './site-reader.ts';

let site: LoopbackSite;
/** Stands for something that must not be reached. */
let inside: LoopbackSite;
let asked: string[] = [];
let files: Record<string, string | Buffer | ((response: ServerResponse, request: IncomingMessage) => void)> =
  {};

beforeAll(async () => {
  site = await openLoopbackSite((request, response) => {
    asked.push(request.url ?? '');
    const file = files[request.url ?? ''];
    if (typeof file === 'function') return file(response, request);
    return file === undefined ? response.writeHead(404).end() : response.end(file);
  });
  inside = await openLoopbackSite((_request, response) => response.end('secret'));
});
beforeEach(() => {
  asked = [];
  files = {};
});
afterAll(() => Promise.all([site.close(), inside.close()]));

const at = (path: string) => `http://a.example:${site.port}${path}`;
const signal = new AbortController().signal;

function newReader(): SiteReader {
  const egress = createEgress({
    log: createLog({ logLevel: 'silent' }),
    allowedHosts: ['a.example', 'www.a.example', 'b.example'].map((host) => `${host}:${site.port}`),
    resolve: async () => ['127.0.0.1'],
  });
  return createSiteReader({ egress, requestsPerSecond: 1000 });
}
const pagesOf = (path: string, maxPages = 1000) => newReader().sitemapPages(at(path), { signal, maxPages });

const urls = (...list: string[]) => list.map((url) => `<url><loc>${url}</loc></url>`).join('');
const urlset = (...list: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls(...list)}</urlset>`;
const index = (...list: string[]) =>
  `<sitemapindex>${list.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`;

test('a sitemap’s pages are normalized and unique, without other hosts and images', async () => {
  files['/s.xml'] = urlset(
    at('/a#x'),
    `\n  ${at('/b?a=1&amp;b=2')}  `,
    `<![CDATA[${at('/c')}]]>`,
    at('/a'),
    at('/a?utm_source=sitemap'),
    `http://www.a.example:${site.port}/d`,
    'https://other.example/e',
    at('/picture.png'),
    'javascript:alert(1)',
    '/f',
  ).replace('</url>', `<image:image><image:loc>${at('/image')}</image:loc></image:image></url>`);
  expect(await pagesOf('/s.xml')).toEqual([
    at('/a'),
    at('/b?a=1&b=2'),
    at('/c'),
    `http://www.a.example:${site.port}/d`,
    at('/f'),
  ]);
});

test.each([
  [
    'with a prefix',
    (page: string) => `<s:urlset xmlns:s="x"><s:url><s:loc>${page}</s:loc></s:url></s:urlset>`,
  ],
  ['packed', (page: string) => gzipSync(urlset(page))],
  ['in UTF-16', (page: string) => Buffer.from(`\ufeff${urlset(page)}`, 'utf16le')],
  ['as a list of lines', (page: string) => `\ufeff${page}\r\nnot an address\n`],
  [
    'as RSS',
    (page: string) =>
      `<rss><channel><link>${at('/')}</link><item><link>${page}</link></item></channel></rss>`,
  ],
  ['as RDF', (page: string) => `<rdf:RDF><item><title>x</title><link>${page}</link></item></rdf:RDF>`],
  [
    'as Atom',
    (page: string) =>
      `<feed><link href="${at('/')}"/><entry><link rel="self" href="${at('/self')}"/><link href="${page}"/></entry></feed>`,
  ],
])('a sitemap %s is read', async (_what, write) => {
  files['/s'] = write(at('/a'));
  expect(await pagesOf('/s')).toEqual([at('/a')]);
});

test('nested sitemaps are read, each once, even in a cycle; a broken one blocks none', async () => {
  files['/index.xml'] = index(
    at('/1.xml'),
    at('/broken.xml'),
    at('/missing.xml'),
    at('/index.xml'),
    at('/2.xml.gz'),
  );
  files['/1.xml'] = urlset(at('/a'));
  files['/broken.xml'] = '<!doctype html><p>No.';
  files['/2.xml.gz'] = gzipSync(index(at('/index.xml'), at('/3.xml')));
  files['/3.xml'] = urlset(at('/b'), at('/a'));
  expect(await pagesOf('/index.xml')).toEqual([at('/a'), at('/b')]);
  expect(asked).toHaveLength(new Set(asked).size);
});

test('sitemaps nested deeper than on any real site are not followed', async () => {
  files = Object.fromEntries(
    Array.from({ length: 9 }, (_, depth) => [`/${depth}`, index(at(`/${depth + 1}`))]),
  );
  expect(await newReader().siteMapOf(at('/'), [at('/0')], { signal })).toEqual({
    pages: [],
    isComplete: false,
  });
  expect(asked).toEqual(['/robots.txt', '/0', '/1', '/2']);
});

test('sitemaps on other hosts and internal ones are not requested', async () => {
  files['/index.xml'] = index(
    `http://127.0.0.1:${inside.port}/s.xml`,
    `http://localhost:${inside.port}/s.xml`,
    `http://a.example:${inside.port}/s.xml`,
    `http://b.example:${site.port}/other.xml`,
    'file:///etc/passwd',
    at('/redirect.xml'),
    at('/own.xml'),
  );
  files['/redirect.xml'] = (response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${inside.port}/s.xml` }).end();
  files['/other.xml'] = urlset(at('/b'));
  files['/own.xml'] = urlset(`http://127.0.0.1:${inside.port}/page`, at('/a'));
  expect(await pagesOf('/index.xml')).toEqual([at('/a')]);
  expect(asked).not.toContain('/other.xml');
  expect(inside.connections()).toBe(0);
});

test('only as many pages as wanted are taken, and only wanted ones', async () => {
  files['/s.xml'] = urlset(at('/docs/1'), at('/shop/1'), at('/docs/2'), at('/docs/old/3'), at('/docs/4'));
  const reader = newReader();
  const options = { include: ['/docs/*'], exclude: ['/docs/old/*'] };
  const wanted = (maxPages: number) =>
    reader.siteMapOf(at('/'), [at('/s.xml')], { signal, site: { ...options, maxPages } });
  expect(await wanted(2)).toEqual({ pages: [at('/docs/1'), at('/docs/2')], isComplete: false });
  expect(await wanted(3)).toEqual({ pages: [at('/docs/1'), at('/docs/2'), at('/docs/4')], isComplete: true });
});

test('the home page stands for the sitemaps in robots.txt, else for those at the usual places', async () => {
  files['/robots.txt'] = `Sitemap: ${at('/mine.xml')}\nSitemap: https://other.example/s.xml`;
  files['/mine.xml'] = urlset(at('/a'));
  expect(await pagesOf('/')).toEqual([at('/a')]);
  files = { '/sitemap_index.xml': index(at('/1.xml')), '/1.xml': urlset(at('/b')) };
  expect(await pagesOf('/')).toEqual([at('/b')]);
});

test.each([
  ['a page', '<!doctype html><html><body>Hello'],
  ['another page', '<html><body><url><loc>/x</loc></url>'],
  ['text', 'Nothing to see here.'],
  ['nothing', ''],
  ['what is not packed as it says', Buffer.from([0x1f, 0x8b, 8, 0, 1, 2])],
])('%s is reported as not a sitemap', async (_what, file) => {
  files['/s'] = file;
  await expect(pagesOf('/s')).rejects.toThrow(/sitemap/);
});

test('a missing one is reported', async () => {
  await expect(pagesOf('/missing.xml')).rejects.toThrow('The site answered 404 when asked for its sitemap.');
});

const laughs = Array.from({ length: 10 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('');

test.each([
  [
    'a billion laughs',
    `<!DOCTYPE x [<!ENTITY l0 "ha">${laughs}]><urlset><url><loc>http://x/&l10;</loc></url></urlset>`,
  ],
  [
    'a file',
    `<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><urlset><url><loc>/&f;</loc></url></urlset>`,
  ],
  [
    'a parameter entity',
    `<!DOCTYPE x [<!ENTITY % p SYSTEM "http://127.0.0.1:PORT/x.dtd">%p;]><urlset><url><loc>/a</loc></url></urlset>`,
  ],
  [
    'several document types',
    `<!DOCTYPE a><!DOCTYPE b [<!ENTITY c "d">]><urlset><url><loc>/&c;</loc></url></urlset>`,
  ],
  ['nesting without end', `<urlset>${'<url>'.repeat(100_000)}`],
])('a sitemap with %s is refused at once', async (_what, text) => {
  files['/s.xml'] = text.replace('PORT', String(inside.port));
  const started = performance.now();
  await expect(pagesOf('/s.xml')).rejects.toThrow('cannot be read');
  expect(performance.now() - started).toBeLessThan(15_000);
  expect(inside.connections()).toBe(0);
});

test('an external document type is not fetched', async () => {
  files['/s.xml'] = `<!DOCTYPE urlset SYSTEM "http://127.0.0.1:${inside.port}/x.dtd">${urlset(at('/a'))}`;
  expect(await pagesOf('/s.xml')).toEqual([at('/a')]);
  expect(inside.connections()).toBe(0);
});

test('a million numeric characters make one overlong address', async () => {
  files['/s.xml'] = urlset(at(`/${'&#97;'.repeat(1_000_000)}`), at('/a'));
  expect(await pagesOf('/s.xml')).toEqual([at('/a')]);
});

/** Thousands of addresses, 45 KB each. */
function thousands(count: number): Buffer {
  const page = at('/');
  return Buffer.concat([
    Buffer.from('<urlset>'),
    ...Array.from({ length: count }, (_, part) =>
      Buffer.from(urls(...Array.from({ length: 1000 }, (_, n) => `${page}${part}-${n}`))),
    ),
    Buffer.from('</urlset>'),
  ]);
}

test('of a million pages the first are taken, without blocking the event loop', async () => {
  const file = thousands(1000);
  expect(file.length).toBeGreaterThan(40_000_000);
  files['/s.xml'] = file;
  files['/unwanted.xml'] = thousands(200);
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 10);
  const started = performance.now();
  const pages = await pagesOf('/s.xml', 10_000);
  // None of it is wanted, so it is read to its end.
  const site = { include: ['/no'], exclude: [], maxPages: 10 };
  expect((await newReader().siteMapOf(at('/'), [at('/unwanted.xml')], { signal, site })).pages).toEqual([]);
  clearInterval(timer);
  expect(performance.now() - started).toBeLessThan(90_000);
  expect(longest).toBeLessThan(3000);
  expect([pages.length, pages[0], pages.at(-1)]).toEqual([10_000, at('/0-0'), at('/9-999')]);
});

test('a sitemap over the size limit is cut off, compressed or not', async () => {
  const zeros = Buffer.alloc(51 * 1024 * 1024, ' ');
  files['/long.xml'] = (response) => response.end(zeros);
  files['/packed.xml.gz'] = gzipSync(zeros, { level: 1 });
  files['/encoded.xml'] = (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(zeros, { level: 1 }));
  await expect(pagesOf('/long.xml')).rejects.toThrow('50 MB');
  await expect(pagesOf('/packed.xml.gz')).rejects.toThrow('too large');
  await expect(pagesOf('/encoded.xml')).rejects.toThrow('50 MB');
});
