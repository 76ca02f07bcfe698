import { expect, test } from 'vitest';
import { parseRobots } from './robots.ts';

const may = (text: string, path: string) => parseRobots(text).isAllowed(`https://a.example${path}`);

test.each([
  ['nothing', '', '/x', true],
  ['an empty rule', 'User-agent: *\nDisallow:', '/x', true],
  ['everything forbidden', 'User-agent: *\nDisallow: /', '/x', false],
  ['a path and what is below it', 'User-agent: *\nDisallow: /private', '/private/x', false],
  ['another path', 'User-agent: *\nDisallow: /private', '/open', true],
  ['rules for somebody else', 'User-agent: otherbot\nDisallow: /', '/x', true],
  [
    'our own rules before those for all',
    'User-agent: *\nDisallow: /\n\nUser-agent: parleybot/1.0\nAllow: /',
    '/x',
    true,
  ],
  ['our own group without a rule', 'User-agent: *\nDisallow: /\n\nUser-agent: ParleyBot\n', '/x', true],
  ['several names over one group', 'User-agent: other\nUser-agent: ParleyBot\nDisallow: /', '/x', false],
  [
    'two groups of one name',
    'User-agent: *\nDisallow: /a\nUser-agent: x\nDisallow:\nUser-agent: *\nDisallow: /b',
    '/b',
    false,
  ],
  ['the longer rule', 'User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b/c', true],
  ['the longer rule first', 'User-agent: *\nAllow: /a/b\nDisallow: /a', '/a/b/c', true],
  ['of two equal ones the kinder', 'User-agent: *\nDisallow: /a\nAllow: /a', '/a', true],
  ['a star', 'User-agent: *\nDisallow: /*.php', '/x/index.php?a', false],
  ['the end', 'User-agent: *\nDisallow: /*.php$', '/index.php?a', true],
  ['the end reached', 'User-agent: *\nDisallow: /*.php$', '/index.php', false],
  ['the query', 'User-agent: *\nDisallow: /*?s=', '/?s=x', false],
  ['encoded in another way', 'User-agent: *\nDisallow: /größe', '/gr%c3%b6%C3%9Fe', false],
  [
    'a mark, comments, odd line ends and case',
    '\ufeffUSER-AGENT : * # all\r\nDISALLOW : /x # here\r\n',
    '/x',
    false,
  ],
  [
    'a line of another kind between names and rules',
    'User-agent: *\nSitemap: /s.xml\nDisallow: /x',
    '/x',
    false,
  ],
  ['a page of HTML', '<!doctype html>\n<p>Disallow: /</p>', '/x', true],
  ['a rule before any name', 'Disallow: /', '/x', true],
])('%s', (_what, text, path, expected) => {
  expect(may(text, path)).toBe(expected);
});

test('a site can request a crawl delay, within limits', () => {
  const delay = (value: string) => parseRobots(`User-agent: *\nCrawl-delay: ${value}`).delaySeconds;
  expect([delay('2'), delay('0.5'), delay('3600'), delay('-1'), delay('soon'), delay('Infinity')]).toEqual([
    2, 0.5, 30, 0, 0, 30,
  ]);
  expect(
    parseRobots('User-agent: ParleyBot\nCrawl-delay: 1\nUser-agent: *\nCrawl-delay: 9').delaySeconds,
  ).toBe(1);
});

test('its sitemaps are found wherever they are named', () => {
  const { sitemaps } = parseRobots(
    'Sitemap: https://a.example/1.xml\nUser-agent: x\nDisallow: /\nsitemap:/2.xml',
  );
  expect(sitemaps).toEqual(['https://a.example/1.xml', '/2.xml']);
});

test.each([
  ['names and rules without end', `${'User-agent: *\n'.repeat(20_000)}${'Disallow: /x\n'.repeat(20_000)}`],
  ['names of others without end', `${'User-agent: bot-\n'.repeat(20_000)}${'Disallow: /x\n'.repeat(20_000)}`],
  ['a rule without end', `User-agent: *\nDisallow: /${'a'.repeat(10_000_000)}`],
  ['white space without end', `User-agent:${' '.repeat(400_000)}*\nDisallow${' '.repeat(100_000)}: /x`],
])('%s: parsing stays fast', (_what, text) => {
  const started = performance.now();
  may(text, `/${'a'.repeat(2000)}`);
  expect(performance.now() - started).toBeLessThan(5000);
});

/** Half a megabyte of rules, none of which match the address: the most that is read. */
const rulesOf = (rule: (number: number) => string) => {
  let text = 'User-agent: *';
  for (let number = 0; text.length < 500 * 1024; number += 1) text += `\nDisallow: ${rule(number)}`;
  return text;
};

test.each([
  ['beginnings', (number: number) => `/b${number}`],
  ['endings', () => '/*b$'],
])('a file full of %s is matched against many addresses instantly', (_what, rule) => {
  const { isAllowed } = parseRobots(rulesOf(rule));
  const start = process.cpuUsage();
  for (let page = 0; page < 20; page += 1)
    expect(isAllowed(`https://a.example/${'a'.repeat(2000)}${page}`)).toBe(true);
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1000).toBeLessThan(5000);
});

test.each([
  ['stars', () => '/*ab'],
  ['rules made of stars', () => `/${'*a'.repeat(900)}b`],
])('a file full of %s cannot be followed, so its site is not read', (_what, rule) => {
  expect(() => parseRobots(rulesOf(rule))).toThrow(
    'The site’s robots.txt has too many rules to follow, so nothing on it is read.',
  );
});
