import { expect, test } from 'vitest';
import { chunkText, PAGE_BREAK } from './chunk.ts';

const sentence = 'The quick brown fox jumps over the lazy dog near the river. ';

test('a short text is one passage', () => {
  expect(chunkText('Open from nine to five.')).toEqual([
    { text: 'Open from nine to five.', headingPath: [], page: null, offset: 0 },
  ]);
});

test('a text with nothing to read has no passage', () => {
  expect(chunkText(' \n\t\n')).toEqual([]);
});

test('long text is cut at the ends of sentences, with overlap and no gaps', () => {
  const text = sentence.repeat(200).trim();
  const chunks = chunkText(text);
  let end = 0;
  for (const chunk of chunks) {
    expect(chunk.text.length).toBeLessThanOrEqual(1600);
    expect(chunk.text).toMatch(/^The quick.*river\.$/s);
    expect(text.slice(chunk.offset, chunk.offset + chunk.text.length)).toBe(chunk.text);
    expect(chunk.offset).toBeLessThanOrEqual(end);
    end = chunk.offset + chunk.text.length;
  }
  expect(end).toBe(text.length);
  expect(chunks.length).toBeLessThan(12);
});

test('a passage stays under one heading and knows the headings above it', () => {
  const chunks = chunkText(
    'Intro.\n\n# Guide\n\nHello.\n\n## [Setup](/s) `now`\n\nInstall it.\n\n# Other\n\nBye.',
  );
  expect(chunks.map(({ text, headingPath }) => [headingPath, text])).toEqual([
    [[], 'Intro.'],
    [['Guide'], 'Hello.'],
    [['Guide', 'Setup now'], 'Install it.'],
    [['Other'], 'Bye.'],
  ]);
});

test('an underlined line is a heading, and a lookalike is text', () => {
  const headingsOf = (text: string) => chunkText(text).map(({ headingPath }) => headingPath);
  expect(
    headingsOf(
      'Intro.\n\nGuide\n=====\nHello.\n\n*Setup* now\n---------\n\nInstall it.\n\n### Deep\n\nHere.',
    ),
  ).toEqual([[], ['Guide'], ['Guide', 'Setup now'], ['Guide', 'Setup now', 'Deep']]);
  for (const text of [
    '---\ntitle: Terms\n---\n\nText.',
    'Name | Price\n-----|------\nLamp | 3',
    '- an item\n----\nText.',
    'One line\nand another\n-----\nText.',
    'Text.\n\n-----\n\nMore text.',
    '```\nResult\n======\n```',
  ])
    expect([text, headingsOf(text)]).toEqual([text, [[]]]);
});

test('a comment in code is not a heading', () => {
  const chunks = chunkText('# Shell\n\n```sh\n# not a heading\nls\n```\n');
  expect(chunks).toHaveLength(1);
  expect(chunks[0]?.headingPath).toEqual(['Shell']);
});

test('a passage names the page that it begins on', () => {
  const pages = ['First page. ', 'Second page. ', 'Third page. '].map((page) => page.repeat(200));
  const chunks = chunkText(pages.join(PAGE_BREAK));
  for (const chunk of chunks) {
    const name = ['First', 'Second', 'Third'][(chunk.page ?? 0) - 1];
    expect(chunk.text.startsWith(name ?? '?')).toBe(true);
  }
  expect(new Set(chunks.map(({ page }) => page))).toEqual(new Set([1, 2, 3]));
});

test('slides are not run together, so that each passage names its page', () => {
  const slides = [
    'Welcome aboard',
    'Vests\nThey hang behind the blue door',
    '',
    'Harbour master\nHer name is Tove',
  ];
  expect(chunkText(slides.join(PAGE_BREAK)).map(({ page, text }) => [page, text])).toEqual([
    [1, 'Welcome aboard'],
    [2, 'Vests\nThey hang behind the blue door'],
    [4, 'Harbour master\nHer name is Tove'],
  ]);
});

test('Chinese passages are shorter, because each character says more', () => {
  const chunks = chunkText('黑豹队的防守只丢了三百分，在联赛中排名第六。'.repeat(100));
  expect(Math.max(...chunks.map(({ text }) => text.length))).toBeLessThanOrEqual(640);
  expect(chunks.every(({ text }) => text.endsWith('。'))).toBe(true);
});

test.each([
  ['one line without a space', 'x'.repeat(2_000_000)],
  ['nothing but headings', '# a\n'.repeat(200_000)],
  ['nothing but line ends', '\n '.repeat(1_000_000)],
  ['pairs of surrogates', '😀'.repeat(300_000)],
  ['open brackets', '# [['.repeat(300_000)],
])('%s takes linear time and splits no character', (_what, text) => {
  const started = performance.now();
  for (const chunk of chunkText(text)) expect(chunk.text.isWellFormed()).toBe(true);
  expect(performance.now() - started).toBeLessThan(40_000);
});

test('a text consisting only of headings is found as well', () => {
  expect(chunkText('# Boats\n\n## Piers\n')).toMatchObject([
    { text: '# Boats\n\n## Piers', headingPath: [] },
  ]);
  expect(chunkText('  \n')).toEqual([]);
});
