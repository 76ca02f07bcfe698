import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Citation } from '../../../contract/chat.ts';
import { Markdown } from './markdown.tsx';

beforeAll(() => vi.stubGlobal('location', { origin: 'https://parley.test' }));

const citation: Citation = {
  number: 1,
  chunkId: 'chk_1',
  sourceId: 'src_1',
  knowledgeId: 'knw_1',
  title: 'Opening hours',
  url: null,
  headingPath: [],
  page: null,
  offset: 0,
  text: 'From nine to five.',
  card: null,
};

function html(text: string): string {
  return renderToStaticMarkup(<Markdown text={text} citations={[citation]} onCite={() => undefined} />);
}

describe('Markdown', () => {
  test('shows HTML tags as text', () => {
    expect(html('a <img src=x onerror=alert(1)> b')).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(html('<script>alert(1)</script>')).not.toContain('<script');
  });

  test('breaks a line where a table cell has a line break tag', () => {
    const cell = html('| Open |\n|---|\n| Mon<br>Tue<BR/>Wed<br onclick=alert(1)> |');
    expect(cell).toContain('Mon<br/>Tue<br/>Wed&lt;br onclick=alert(1)&gt;');
    expect(html('`<br>`')).toContain('&lt;br&gt;');
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '/auth/signout',
    'JaVaScRiPt:alert(1)',
  ])('does not make a link of %s', (href) => {
    expect(html(`[here](${href})`)).not.toContain('href');
  });

  test('gives links no opener or referrer', () => {
    expect(html('[here](https://example.com)')).toContain('rel="noopener noreferrer nofollow"');
  });

  test('loads no image from another host, but shows one of our own', () => {
    expect(html('![x](https://example.com/p.png)')).not.toContain('<img');
    expect(html('![x](//example.com/p.png)')).not.toContain('<img');
    expect(html('![x](/files/a.png)')).toContain('data-src="/files/a.png"');
  });

  test('turns a citation into a button, and leaves a number without a passage alone', () => {
    const shown = html('We open at nine [1], not at ten [2].');
    expect(shown).toContain('aria-label="Source 1: Opening hours"');
    expect(shown).toContain('[2]');
  });

  test('leaves citations in code alone', () => {
    expect(html('`list[1]`')).not.toContain('button');
  });

  test('shows tables, lists and code', () => {
    expect(html('| a | b |\n| - | - |\n| 1 | 2 |')).toContain('<td>1</td>');
    expect(html('- [x] done\n- [ ] open')).toContain('checked=""');
    expect(html('```js\nconst a = 1;\n```')).toContain('const a = 1;');
  });

  test('turns defined marks into footnotes, numbered in order of appearance', () => {
    const shown = html(
      'One[^b], two[^1]: and one[^B].\n\n[^1]: Second,\n    **with more**.\n[^b]: First.\n\nEnd.',
    );
    const links = [...shown.matchAll(/<sup><a href="#([^"]+)" aria-label="Footnote (\d)"/g)];
    expect(links.map(([, , number]) => number)).toEqual(['1', '2', '1']);
    for (const [, id] of links) expect(shown).toContain(`<li id="${id}"`);
    expect(shown).toMatch(/<p>End\.<\/p><ol [^>]*aria-label="Footnotes"/);
    expect(shown.indexOf('First.')).toBeLessThan(shown.indexOf('Second,'));
    expect(shown).toContain('<strong>with more</strong>');
    expect(shown).not.toContain('[^');
  });

  test('keeps the text of anything that is not a valid footnote', () => {
    expect(html('Nobody explains this[^1].')).toContain('this[^1].');
    expect(html('Text.\n\n[^1]: Nobody refers to this.')).toContain('[^1]: Nobody refers to this.');
    expect(html('[see[^1]](https://example.com)\n\n[^1]: Note.')).not.toContain('<sup>');
    expect(html('`a[^1]` is code.\n\n[^1]: Note.')).toContain('<code>a[^1]</code>');
  });

  test('gives footnotes of two texts on a page distinct ids', () => {
    const text = 'One[^1].\n\n[^1]: Note.';
    const cite = { citations: [], onCite: () => undefined };
    const shown = renderToStaticMarkup(
      <>
        <Markdown text={text} {...cite} />
        <Markdown text={text} {...cite} />
      </>,
    );
    const ids = [...shown.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(2);
  });

  test('marks long table cells so that their column keeps a minimum width', () => {
    expect(html('| a | b |\n| - | - |\n| Words that go on and on and on | 2 |')).toContain(
      'data-long="true">Words',
    );
  });

  test('shows text literally, entities included', () => {
    expect(html('AT&amp;T & <b>')).toContain('AT&amp;T &amp; &lt;b&gt;');
    expect(html('2 &times; 3&hellip; &copy; &unknown;')).toContain('2 × 3… © &amp;unknown;');
  });

  test.each([
    '>'.repeat(50_000),
    '['.repeat(50_000),
    '**a'.repeat(5000),
    '- '.repeat(2000),
    '`'.repeat(20_000),
    '[^1]: '.repeat(5000),
    '[^1]:\n'.repeat(5000),
    `[^1]${'[^1]'.repeat(5000)}\n\n[^1]: ${'[^1]'.repeat(5000)}`,
    `a[^1]\n\n[^1]: a\n${'\n'.repeat(20_000)}`,
    `a[^1]\n\n[^1]: a\n${'    a\n'.repeat(5000)}`,
  ])('survives malicious nesting %#', (text) => {
    const begun = performance.now();
    expect(html(text)).toContain('class');
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  test('renders every prefix of a streamed text', () => {
    const text =
      '# A[^1]\n\n**bold** [l](https://e.com)\n\n[^1]: A\n    b\n[^2]: B\n\n```js\nx\n```\n\n| a |\n| - |\n| 1 |\n\n<b>';
    for (let length = 0; length <= text.length; length += 1) html(text.slice(0, length));
  });
});
