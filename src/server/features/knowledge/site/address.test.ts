import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { isOfSite, isWanted, normalizeAddress } from './address.ts';
import { linksToFollow } from './follow.ts';
import { encoded, holdsStretches, stretchesOf } from './pattern.ts';

const matchesPattern = (pattern: string, path: string) => holdsStretches(stretchesOf(pattern), encoded(path));

test.each([
  ['HTTPS://Docs.Example:443/a/../b#part', 'https://docs.example/b'],
  ['http://docs.example:80', 'http://docs.example/'],
  ['http://docs.example:8080/', 'http://docs.example:8080/'],
  ['https://docs.example/?utm_source=x&page=2&fbclid=1&gclid=2', 'https://docs.example/?page=2'],
  ['https://docs.example/?UTM_Source=x', 'https://docs.example/'],
  ['https://docs.example/?q=a%20b&empty', 'https://docs.example/?q=a%20b&empty'],
  ['https://docs.example/?', 'https://docs.example/'],
  ['https://docs.example/gr%c3%b6%c3%9fe/%7Euser', 'https://docs.example/gr%C3%B6%C3%9Fe/~user'],
  ['https://docs.example/größe', 'https://docs.example/gr%C3%B6%C3%9Fe'],
  ['https://docs.example/a%2Fb', 'https://docs.example/a%2Fb'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['https://docs.example/sitemap.xml.gz', 'https://docs.example/sitemap.xml.gz'],
  ['https://docs.example/v1.2/zip', 'https://docs.example/v1.2/zip'],
])('%s is normalized to %s, which stays unchanged', (given, form) => {
  expect(normalizeAddress(given)).toBe(form);
  expect(normalizeAddress(form)).toBe(form);
});

test.each([
  'mailto:a@docs.example',
  'tel:+1',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'ftp://docs.example/',
  'https://user:secret@docs.example/',
  'https://user@docs.example/',
  'https://docs.example/photo.JPG?size=1',
  'https://docs.example/all.zip',
  'https://docs.example/dump.sql.gz',
  'https://docs.example/film.mp4#t=1',
  'https://',
  '/relative',
  `https://docs.example/${'a'.repeat(2048)}`,
  `https://docs.example/${'ä'.repeat(400)}`,
])('%j is not a page address', (given) => {
  expect(normalizeAddress(given)).toBeUndefined();
});

test('a link is resolved relative to its page', () => {
  expect(normalizeAddress('../b?c', 'https://docs.example/x/a')).toBe('https://docs.example/b?c');
  expect(normalizeAddress('//other.example/b', 'https://docs.example/')).toBe('https://other.example/b');
  expect(normalizeAddress('', 'https://docs.example/x#y')).toBe('https://docs.example/x');
});

test('a site is one host, with or without www., over http or https', () => {
  const site = 'https://docs.example/start';
  for (const address of ['http://www.docs.example/x', 'https://docs.example/', 'https://DOCS.example/'])
    expect(isOfSite(address, site), address).toBe(true);
  for (const address of [
    'https://docs.example.evil/',
    'https://evil-docs.example/',
    'https://sub.docs.example/',
    'https://docs.example:8443/',
    'ftp://docs.example/',
    'nothing',
  ])
    expect(isOfSite(address, site), address).toBe(false);
});

test.each([
  ['/docs/*', '/docs/', true],
  ['/docs/*', '/docs/a/b', true],
  ['/docs/*', '/docs', false],
  ['/docs/*', '/x/docs/a', false],
  ['*/edit', '/a/edit', true],
  ['*/edit', '/a/edit/b', false],
  ['/a*b*c', '/aXbYc', true],
  ['/a*b*c', '/ac', false],
  ['/ab*ba', '/aba', false],
  ['/*.html', '/a.html', true],
  ['/*.html', '/aXhtml', false],
  ['/a+(b)', '/a+(b)', true],
  ['/größe*', '/gr%C3%B6%C3%9Fe/2', true],
  ['**', '/anything', true],
])('the pattern %s and the path %s: %s', (pattern, path, expected) => {
  expect(matchesPattern(pattern, path)).toBe(expected);
});

test('a pattern built to be slow is matched at once', () => {
  const started = performance.now();
  expect(matchesPattern(`/${'*a'.repeat(100)}*b`, `/${'a'.repeat(2000)}`)).toBe(false);
  expect(performance.now() - started).toBeLessThan(5000);
});

test('exclusions take precedence over inclusions', () => {
  const site = { include: ['/docs/*', '/blog*'], exclude: ['*/old/*', '*?print=*'] };
  const wanted = (path: string) => isWanted(`https://docs.example${path}`, site);
  expect(wanted('/docs/a')).toBe(true);
  expect(wanted('/docs/a?page=2')).toBe(true);
  expect(wanted('/docs/old/a')).toBe(false);
  expect(wanted('/docs/a?print=1')).toBe(false);
  expect(wanted('/shop')).toBe(false);
  expect(isWanted('https://docs.example/shop', { include: [], exclude: [] })).toBe(true);
});

test('only a page’s links within the site are followed, each once and no deeper than requested', async () => {
  const links = [
    '/docs/b',
    'https://www.docs.example/docs/b?utm_source=x',
    '/docs/b#part',
    '/docs/a',
    '/shop',
    'https://other.example/docs/c',
    'mailto:a@docs.example',
    '/docs/feed.xml',
    '/docs/logo.png',
  ];
  const document = { title: null, text: '', links };
  const site = { mode: 'domain', include: ['/docs/*'], exclude: [], maxPages: 10, maxDepth: 2 } as const;
  const follow = (depth: number, mode: 'links' | 'domain' = 'domain') =>
    linksToFollow(
      document,
      { url: 'https://docs.example/docs/a', depth },
      { ...site, include: [...site.include], exclude: [], mode },
      ['https://docs.example/'],
    );
  expect(await follow(1)).toEqual(['https://docs.example/docs/b', 'https://www.docs.example/docs/b']);
  expect(await follow(2)).toEqual([]);
  expect(await follow(0, 'links')).toEqual([]);
});

test('thousands of links matched against patterns built to be slow block nobody', async () => {
  const links = Array.from({ length: 2000 }, (_, number) => `/${'a'.repeat(1900)}${number}`);
  const include = Array.from({ length: 50 }, (_, number) => `/${'*a'.repeat(90)}b${number}`);
  const site = { mode: 'domain', include, exclude: [], maxPages: 10, maxDepth: 2 } as const;
  const document = { title: null, text: '', links };
  const start = 'https://docs.example/';
  const starts = [...Array.from({ length: 99 }, (_, number) => `https://d${number}.example/`), start];
  const waits = monitorEventLoopDelay({ resolution: 5 });
  waits.enable();
  const before = process.cpuUsage();
  expect(await linksToFollow(document, { url: start, depth: 0 }, { ...site, exclude: [] }, starts)).toEqual(
    [],
  );
  const { user, system } = process.cpuUsage(before);
  waits.disable();
  expect((user + system) / 1000).toBeLessThan(5000);
  expect(waits.max / 1e6).toBeLessThan(5000);
});
