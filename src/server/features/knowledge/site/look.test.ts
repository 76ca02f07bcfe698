import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createEgress } from '../../../egress/egress.ts';
import { openLoopbackSite, type LoopbackSite } from '../../../egress/loopback-site.testing.ts';
import { createLog } from '../../../log.ts';
import { lookAtDomain, lookAtSitemap } from './look.ts';
import { createSiteReader } from './site-reader.ts';

let site: LoopbackSite;
let asked: string[] = [];
let pages: Record<string, string | { location: string }> = {};

beforeAll(async () => {
  site = await openLoopbackSite((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const page = pages[path] ?? pages[path.replace(/\d+$/, '#')];
    if (page === undefined) return response.writeHead(404).end();
    if (typeof page === 'object') return response.writeHead(302, page).end();
    return response.writeHead(200, { 'content-type': 'text/html' }).end(page.replaceAll('@@', path.slice(1)));
  });
});
beforeEach(() => {
  asked = [];
  pages = {};
});
afterAll(() => site.close());

const at = (path: string) => `http://a.example:${site.port}${path}`;
const page = (title: string, ...links: string[]) =>
  `<title>${title}</title><main><p>${'x'.repeat(100)}</p>${links.map((href) => `<a href="${href}">.</a>`).join('')}</main>`;

function newReader(requestsPerSecond = 1000) {
  const egress = createEgress({
    log: createLog({ logLevel: 'silent' }),
    allowedHosts: ['a.example', 'b.example'].map((host) => `${host}:${site.port}`),
    resolve: async () => ['127.0.0.1'],
  });
  return createSiteReader({ egress, requestsPerSecond });
}
const signal = new AbortController().signal;

test('a site’s pages are found by its links, with their titles and sizes', async () => {
  pages = {
    '/': page('Home', '/a', '/b#x', 'https://other.example/', '/missing', '/moved', '/away'),
    '/a': page('A', '/', '/c', '/hidden', '/logo.png'),
    '/b': page('B', '/a?utm_source=b', '/private/x'),
    '/c': page('C', '/missing'),
    '/hidden': `<meta name="robots" content="noindex">${page('Hidden', '/d')}`,
    '/d': page('D'),
    '/moved': { location: '/a' },
    '/away': { location: `http://b.example:${site.port}/b` },
    '/private/x': page('Private'),
    '/robots.txt': 'User-agent: *\nDisallow: /private',
  };
  const look = await lookAtDomain(newReader(), at('/'), signal);
  expect(look.links.toSorted((one, two) => one.url.localeCompare(two.url))).toEqual([
    { url: at('/'), title: 'Home' },
    { url: at('/a'), title: 'A' },
    { url: at('/b'), title: 'B' },
    { url: at('/c'), title: 'C' },
    { url: at('/d'), title: 'D' },
  ]);
  expect(look).toMatchObject({ pages: 5, isComplete: true });
  expect(look.estimatedBytes).toBeGreaterThan(500);
  expect(look.estimatedBytes).toBeLessThan(600);
  // Requested twice: only the targets of two redirects, and the other host's rules.
  expect(asked).toHaveLength(new Set(asked).size + 3);
});

test('an endless site is explored while there is time, at the usual pace', async () => {
  pages = { '/': page('Home', '/p1'), '/p#': page('@@', '/@@0', '/@@1') };
  const look = await lookAtDomain(newReader(20), at('/'), AbortSignal.timeout(1500));
  expect(look.isComplete).toBe(false);
  expect(look.pages).toBeGreaterThan(asked.length - 4);
  expect(asked.length).toBeLessThan(36);
});

/** For a site that states its own address. */
function listing(count: number): Record<string, string> {
  const list = Array.from({ length: count }, (_, n) => `<url><loc>${at(`/p${n}`)}</loc></url>`).join('');
  return { '/robots.txt': `Sitemap: ${at('/pages.xml')}`, '/pages.xml': `<urlset>${list}</urlset>` };
}

test('a page listed only in the sitemap is not among the linked pages', async () => {
  pages = { ...listing(3), '/': page('Home', '/p0', '/a'), '/a': page('A'), '/p#': page('Page @@') };
  const look = await lookAtDomain(newReader(), at('/'), signal);
  expect(look.links.map(({ url }) => url).toSorted()).toEqual([at('/'), at('/a'), at('/p0')]);
  expect(look).toMatchObject({ pages: 3, isComplete: true });
});

test('a large site is also explored by its sitemap when there is no time for its links', async () => {
  pages = {
    ...listing(1500),
    '/': page('Home', '/q1'),
    '/q#': page('@@', '/@@0', '/@@1'),
    '/p#': page('P @@'),
  };
  // Enough for its sitemap, even on a busy machine.
  const look = await lookAtDomain(newReader(20), at('/'), AbortSignal.timeout(8000));
  expect(look.isComplete).toBe(false);
  expect(look.pages).toBeGreaterThan(1501);
  expect(look.links).toHaveLength(1000);
});

test('some pages of a sitemap are read to estimate the size of one', async () => {
  pages = { ...listing(1500), '/': page('Home'), '/p#': page('Page @@') };
  const look = await lookAtSitemap(newReader(), at('/'), signal);
  expect(look).toMatchObject({ pages: 1500, isComplete: true });
  expect(look.links).toHaveLength(1000);
  expect(look.links.slice(0, 2)).toEqual([
    { url: at('/p0'), title: 'Page p0' },
    { url: at('/p1'), title: 'Page p1' },
  ]);
  expect(look.estimatedBytes).toBe(150_000);
  expect(asked.length).toBeLessThan(10);
});

test('a page that the sitemap lists and robots.txt forbids is not offered', async () => {
  const listed = ['/a', '/private/x', '/b'].map((path) => `<url><loc>${at(path)}</loc></url>`).join('');
  pages = {
    '/': page('Home'),
    '/a': page('A'),
    '/b': page('B'),
    '/private/x': page('Private'),
    '/robots.txt': 'User-agent: *\nDisallow: /private',
    '/sitemap.xml': `<urlset>${listed}</urlset>`,
  };
  expect(await lookAtSitemap(newReader(), at('/'), signal)).toMatchObject({
    links: [
      { url: at('/a'), title: 'A' },
      { url: at('/b'), title: 'B' },
    ],
    pages: 2,
  });
  pages['/robots.txt'] = 'User-agent: *\nDisallow: /a\nDisallow: /b\nDisallow: /private';
  await expect(lookAtSitemap(newReader(), at('/'), signal)).rejects.toThrow('robots.txt');
});

test('when not all sitemaps are read in time, those that are count', async () => {
  const list = (n: number) => `<urlset><url><loc>${at(`/p${n}`)}</loc></url></urlset>`;
  const all = Array.from({ length: 40 }, (_, n) => `<sitemap><loc>${at(`/s${n}`)}</loc></sitemap>`).join('');
  pages = { '/sitemap.xml': `<sitemapindex>${all}</sitemapindex>` };
  for (let n = 0; n < 40; n += 1) pages[`/s${n}`] = list(n);
  const look = await lookAtSitemap(newReader(10), at('/'), AbortSignal.timeout(2500));
  expect(look.isComplete).toBe(false);
  expect(look.pages).toBeGreaterThan(0);
  expect(look.pages).toBeLessThan(27);
});

test('a page filled by scripts is reported with a hint to the sitemap, if there is one', async () => {
  pages = {
    '/': '<div id="root"></div>',
    '/sitemap.xml': `<urlset><url><loc>${at('/a')}</loc></url></urlset>`,
    '/a': page('A'),
  };
  await expect(lookAtDomain(newReader(), at('/'), signal)).rejects.toThrow('lists its pages');
  delete pages['/sitemap.xml'];
  await expect(lookAtDomain(newReader(), at('/'), signal)).rejects.toThrow('no readable text');
});

test('a sitemap is looked up where it is named, else at the site’s usual place', async () => {
  pages = {
    '/sitemap.xml': `<urlset><url><loc>${at('/a')}</loc></url></urlset>`,
    '/mine.xml': `<urlset><url><loc>${at('/b')}</loc></url></urlset>`,
    '/docs': page('Docs'),
    '/a': page('A'),
  };
  const links = async (path: string) => (await lookAtSitemap(newReader(), at(path), signal)).links;
  expect(await links('/')).toEqual([{ url: at('/a'), title: 'A' }]);
  expect(await links('/docs')).toEqual([{ url: at('/a'), title: 'A' }]);
  expect(await links('/mine.xml')).toEqual([{ url: at('/b'), title: null }]);
});

test('a missing or empty sitemap is reported', async () => {
  await expect(lookAtSitemap(newReader(), at('/'), signal)).rejects.toThrow('No sitemap was found there.');
  pages = { '/sitemap.xml': '<urlset><url><loc>https://other.example/</loc></url></urlset>' };
  await expect(lookAtSitemap(newReader(), at('/'), signal)).rejects.toThrow('lists no page');
});

test('what the site forbids us to read is reported', async () => {
  pages = { '/robots.txt': 'User-agent: *\nDisallow: /', '/': page('Home') };
  await expect(lookAtDomain(newReader(), at('/'), signal)).rejects.toThrow('robots.txt');
  await expect(lookAtSitemap(newReader(), at('/'), signal)).rejects.toThrow('No sitemap');
  expect(asked).toEqual(['/robots.txt', '/robots.txt']);
});

test('an address without https:// is tried with it, then unencrypted', async () => {
  pages = { '/': page('Home'), '/sitemap.xml': `<urlset><url><loc>${at('/')}</loc></url></urlset>` };
  const links = [{ url: at('/'), title: 'Home' }];
  expect(await lookAtDomain(newReader(), `a.example:${site.port}`, signal)).toMatchObject({ links });
  expect(await lookAtSitemap(newReader(), `a.example:${site.port}`, signal)).toMatchObject({ links });
  await expect(lookAtDomain(newReader(), `https://a.example:${site.port}`, signal)).rejects.toMatchObject({
    code: 'egress/failed',
  });
});
