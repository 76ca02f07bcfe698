import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Citation } from '../../contract/chat.ts';
import { formatPrice, ProductCards } from './product-cards.tsx';

beforeAll(() => vi.stubGlobal('location', { origin: 'https://parley.test' }));

const card = {
  name: 'Copper kettle',
  description: null,
  price: '49.90',
  currency: 'EUR',
  url: 'https://shop.example/kettle',
  image: '/images/kettle.webp',
};
const citation: Citation = {
  number: 1,
  chunkId: 'chk_1',
  sourceId: 'src_1',
  knowledgeId: 'knw_1',
  title: 'Copper kettle',
  url: card.url,
  headingPath: [],
  page: null,
  offset: 0,
  text: 'A kettle.',
  card,
};

const html = (text: string, citations: Citation[]) =>
  renderToStaticMarkup(<ProductCards text={text} citations={citations} />);

test('a cited product appears once as a card with its picture, price and shop', () => {
  const shown = html('Take it. [1] [2]', [citation, { ...citation, number: 2 }]);
  expect(shown.match(/<li>/g)).toHaveLength(1);
  expect(shown).toContain('rel="noopener noreferrer nofollow"');
  expect(shown).toContain('src="/images/kettle.webp"');
  expect(shown).toContain('shop.example');
  expect(shown).toMatch(/49[.,]90/);
});

test('an uncited product is not shown', () => {
  expect(html('Nothing.', [citation])).toBe('');
  expect(html('Yes. [1]', [{ ...citation, card: null }])).toBe('');
});

test('a card never links to a script or an external picture', () => {
  const bad = { ...card, url: 'javascript:alert(1)', image: 'https://evil.example/x.png' };
  const shown = html('Yes. [1]', [{ ...citation, card: bad }]);
  expect(shown).not.toMatch(/href|<img/);
});

test('a price without a known currency is shown as written', () => {
  expect(formatPrice('49.90', null)).toBe('49.90');
  expect(formatPrice('49.90', 'Taler')).toBe('49.90 Taler');
  expect(formatPrice('from 5', 'EUR')).toBe('from 5 EUR');
});
