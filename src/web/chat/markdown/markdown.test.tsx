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
  test('shows tags as they are written', () => {
    expect(html('a <img src=x onerror=alert(1)> b')).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(html('<script>alert(1)</script>')).not.toContain('<script');
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '/auth/signout',
    'JaVaScRiPt:alert(1)',
  ])('makes no link of %s', (href) => {
    expect(html(`[here](${href})`)).not.toContain('href');
  });

  test('gives links no opener and no referrer', () => {
    expect(html('[here](https://example.com)')).toContain('rel="noopener noreferrer nofollow"');
  });

  test('loads no image of another host, and shows one of our own', () => {
    expect(html('![x](https://example.com/p.png)')).not.toContain('<img');
    expect(html('![x](//example.com/p.png)')).not.toContain('<img');
    expect(html('![x](/files/a.png)')).toContain('data-src="/files/a.png"');
  });

  test('makes a button of a citation, and leaves a number without a passage alone', () => {
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

  test('shows what is written, entities included', () => {
    expect(html('AT&amp;T & <b>')).toContain('AT&amp;T &amp; &lt;b&gt;');
  });

  test.each([
    '>'.repeat(50_000),
    '['.repeat(50_000),
    '**a'.repeat(5000),
    '- '.repeat(2000),
    '`'.repeat(20_000),
  ])('survives hostile nesting %#', (text) => {
    const begun = performance.now();
    expect(html(text)).toContain('class');
    expect(performance.now() - begun).toBeLessThan(2000);
  });

  test('every prefix of a streamed text can be shown', () => {
    const text = '# A\n\n**bold** [l](https://e.com)\n\n```js\nx\n```\n\n| a |\n| - |\n| 1 |\n\n<b>';
    for (let length = 0; length <= text.length; length += 1) html(text.slice(0, length));
  });
});
