import { parseDocument } from 'htmlparser2';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { hostileTexts } from './hostile-texts.ts';
import { Markdown } from './markdown.tsx';
import { readMath } from './math-tokens.ts';
import { HighlightedCode } from './highlighted-code.tsx';
import { TypesetFormula } from './typeset-formula.tsx';

beforeAll(() => vi.stubGlobal('location', { origin: 'https://parley.test' }));

const ELEMENTS = new Set(
  (
    'a blockquote br button code del div em figcaption figure h3 h4 h5 h6 hr img input li ol p path pre span strong sup svg ' +
    'table tbody td th thead tr ul math semantics mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle merror mpadded ' +
    'mphantom menclose msub msup msubsup munder mover munderover mtable mtr mtd'
  ).split(' '),
);
/** Of a footnote: made by the page, of nothing that stands in the text. */
const OWN_ID = /^_[rR]_\w*_-\d+$/;
const SCHEMES = /^(https?|mailto|tel):/;

interface Node {
  type: string;
  name?: string;
  attribs?: Record<string, string>;
  children?: Node[];
}

/** What is wrong with a page that a browser would make of this. */
function faultsOf(nodes: readonly Node[]): string[] {
  return nodes.flatMap(({ type, name = '', attribs = {}, children = [] }) => {
    if (type === 'text') return [];
    if (type !== 'tag' || !ELEMENTS.has(name)) return [`<${name || type}>`];
    const isOwn = name === 'a' && OWN_ID.test(attribs['href']?.slice(1) ?? '');
    const faults = Object.entries(attribs).flatMap(([attribute, value]) => {
      if (isOwn && attribute === 'href' && value.startsWith('#')) return [];
      if (name === 'li' && attribute === 'id' && OWN_ID.test(value)) return [];
      if (/^on|^style$|^srcdoc$|^id$|^action$|^formaction$|^xlink/.test(attribute))
        return [`${name} ${attribute}`];
      if (attribute === 'href' && !SCHEMES.test(value)) return [`${name} href=${value}`];
      if (/^(data-)?src$/.test(attribute) && !/^\/(files|images)\//.test(value))
        return [`${name} src=${value}`];
      return [];
    });
    if (name === 'a' && !isOwn && attribs['rel'] !== 'noopener noreferrer nofollow')
      faults.push('a without rel');
    return [...faults, ...faultsOf(children)];
  });
}

const faults = (content: ReactNode) => faultsOf(parseDocument(renderToStaticMarkup(content)).children);
const shown = (text: string) => <Markdown text={text} citations={[]} onCite={() => undefined} />;

describe('Markdown that nobody vouches for', () => {
  test('there are 200 hostile texts and more', () => expect(new Set(hostileTexts).size).toBeGreaterThan(200));

  test('every prefix of each becomes known elements that lead nowhere and run nothing', () => {
    for (const text of hostileTexts)
      for (let length = 1; length <= text.length; length += 1)
        expect(faults(shown(text.slice(0, length))), text.slice(0, length)).toEqual([]);
  }, 120_000);

  test('two of them in a row, and cut in the middle of a tag, are no worse', () => {
    for (const [index, text] of hostileTexts.entries()) {
      const next = hostileTexts[(index + 7) % hostileTexts.length] ?? '';
      const cut = text.slice(0, Math.ceil(text.length / 2)) + next;
      expect(faults(shown(`${text}\n${next}`)), text).toEqual([]);
      expect(faults(shown(cut)), cut).toEqual([]);
    }
  }, 60_000);

  test('formulas and code are no way around it', () => {
    for (const text of hostileTexts) {
      const formula = readMath(text) ?? { raw: text, text, display: true };
      expect(faults(<TypesetFormula {...formula} />), text).toEqual([]);
      for (const language of ['html', 'markdown', 'js', 'php', '"><img src=x>'])
        expect(faults(<HighlightedCode code={text} language={language} />), text).toEqual([]);
    }
  }, 60_000);
});

describe('formulas', () => {
  const math = (text: string) => readMath(text)?.text;

  test('are read in each notation', () => {
    expect([math('$x^2$'), math('$$x$$'), math('\\(x\\)'), math('\\[x\\]')]).toEqual(['x^2', 'x', 'x', 'x']);
  });

  test('prices are none', () => {
    expect([math('$5 and $6'), math('$ 5 $'), math('$5')]).toEqual([undefined, undefined, undefined]);
  });

  test('are typeset as MathML', () => {
    const formula = renderToStaticMarkup(<TypesetFormula raw="" text={'\\frac{a}{b}'} display={false} />);
    expect(formula).toContain('<mfrac><mi>a</mi><mi>b</mi></mfrac>');
  });
});

test('code has its words marked by kind', () => {
  const code = renderToStaticMarkup(<HighlightedCode code="const a = 'b';" language="ts" />);
  expect(code).toContain('<span data-kind="keyword">const</span>');
});
