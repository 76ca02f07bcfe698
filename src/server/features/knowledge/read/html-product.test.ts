import { expect, test } from 'vitest';
import { readHtml } from './html.ts';

const url = 'https://shop.example/p/kettle';
const cardOf = (html: string, at: string | undefined = url) => readHtml(`${html}<p>Text.`, { url: at }).card;
const json = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const full = {
  name: 'Copper kettle',
  description: 'Boils water, & quickly.',
  price: '49.90',
  currency: 'EUR',
  url,
  image: 'https://cdn.example/kettle.jpg',
};
const product = {
  '@type': 'Product',
  name: 'Copper kettle',
  description: '<p>Boils water, &amp; <b>quickly</b>.</p>',
  image: ['https://cdn.example/kettle.jpg', 'https://cdn.example/2.jpg'],
  offers: {
    '@type': 'Offer',
    price: '49.90',
    priceCurrency: 'EUR',
    availability: 'https://schema.org/InStock',
  },
};

test.each([
  ['alone', product],
  ['in a list', [{ '@type': 'Organization', name: 'Shop' }, product]],
  ['in a graph', { '@context': 'https://schema.org', '@graph': [{ '@type': 'BreadcrumbList' }, product] }],
  ['as the main thing of the page', { '@type': 'WebPage', name: 'Page', mainEntity: product }],
  ['with several types', { ...product, '@type': ['Product', 'Vehicle'] }],
  ['with the whole name of its type', { ...product, '@type': 'http://schema.org/Product' }],
  ['with a number as the price', { ...product, offers: { price: 49.9, priceCurrency: 'eur' } }],
  [
    'with several offers',
    { ...product, offers: [{ availability: 'x' }, { price: 49.9, priceCurrency: 'EUR' }] },
  ],
  [
    'with the lowest of prices',
    {
      ...product,
      offers: { '@type': 'AggregateOffer', lowPrice: '49.90', highPrice: '80', priceCurrency: 'EUR' },
    },
  ],
  [
    'with offers in an offer',
    { ...product, offers: { '@type': 'AggregateOffer', offers: [{ price: '49.90', priceCurrency: 'EUR' }] } },
  ],
  [
    'with a specification of the price',
    { ...product, offers: { priceSpecification: [{ price: '49.90', priceCurrency: 'EUR' }] } },
  ],
  [
    'with a picture that is a thing',
    { ...product, image: { '@type': 'ImageObject', url: '//cdn.example/kettle.jpg' } },
  ],
  [
    'with variants',
    { ...product, '@type': 'ProductGroup', offers: undefined, hasVariant: [{ ...product, name: 'Red' }] },
  ],
  ['in several languages', { ...product, name: [{ '@value': 'Copper kettle', '@language': 'en' }] }],
])('a product in JSON-LD %s is recognized', (_what, value) => {
  expect(cardOf(json(value))).toEqual(full);
});

test('of several products the one with this address is used, else the first', () => {
  const other = { ...product, name: 'Tea pot', url: '/p/pot' };
  expect(cardOf(json(other) + json({ ...product, url: `${url}?utm_source=x` }))?.name).toBe('Copper kettle');
  expect(cardOf(json(other) + json(product))).toMatchObject({
    name: 'Tea pot',
    url: 'https://shop.example/p/pot',
  });
});

test('a product in microdata is recognized, and its brand’s name is not taken for its own', () => {
  const html = `<div itemscope itemtype="https://schema.org/Product">
    <div itemprop="brand" itemscope itemtype="https://schema.org/Brand"><span itemprop="name">Smiths</span></div>
    <h1 itemprop="name">Copper  kettle</h1><img itemprop="image" src="https://cdn.example/kettle.jpg">
    <div itemprop="description">Boils water, &amp; <b>quickly</b>.</div>
    <div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
      <span itemprop="priceCurrency" content="EUR">€</span><span itemprop="price" content="49.90">49,90</span></div></div>`;
  expect(cardOf(html)).toEqual(full);
});

test('a product in social network tags is recognized', () => {
  const html = `<meta property="og:type" content="product"><meta property="og:title" content="Copper kettle">
    <meta property="og:description" content="Boils water, &amp; quickly."><meta property="og:url" content="${url}">
    <meta property="og:image" content="https://cdn.example/kettle.jpg">
    <meta property="product:price:amount" content="49.90"><meta property="product:price:currency" content="EUR">`;
  expect(cardOf(html)).toEqual(full);
});

test('one description fills in what another omits', () => {
  const tags = `<meta property="og:image" content="/kettle.jpg"><meta property="og:description" content="Of copper.">`;
  expect(cardOf(json({ '@type': 'Product', name: 'Kettle' }) + tags)).toEqual({
    name: 'Kettle',
    description: 'Of copper.',
    price: null,
    currency: null,
    url,
    image: 'https://shop.example/kettle.jpg',
  });
});

test.each([
  ['€ 1.299,00', '1.299,00'],
  ['1 299,00 kr', '1299,00'],
  ['$19.', '19'],
  ['CHF 1’250.–', '1’250'],
  ['free', null],
])('the price %s is %s', (price, expected) => {
  expect(cardOf(json({ ...product, offers: { price, priceCurrency: 'EUR' } }))?.price).toBe(expected);
});

test.each([
  [
    'a page that sells nothing',
    '<meta property="og:title" content="News"><meta property="og:type" content="article">',
  ],
  [
    'a list of products',
    json({ '@type': 'ItemList', itemListElement: [{ '@type': 'ListItem', item: product }] }),
  ],
  ['a product without a name', json({ ...product, name: ' ' })],
  ['what is no JSON', '<script type="application/ld+json">{"@type":"Product","name":</script>'],
  ['null', json(null)],
  ['something that nests without end', `<script type="application/ld+json">${'['.repeat(100_000)}</script>`],
  [
    'keys of another kind',
    '<script type="application/ld+json">{"__proto__":{"@type":"Product","name":"x"}}</script>',
  ],
])('%s has no card', (_what, html) => {
  expect(cardOf(html)).toBeUndefined();
});

test('addresses not allowed on a card are omitted', () => {
  const evil = { ...product, url: 'javascript:alert(1)', image: 'data:image/svg+xml,x' };
  expect(cardOf(json(evil))).toMatchObject({ url, image: null });
  expect(cardOf(json({ ...product, image: undefined }))).toMatchObject({ image: null });
  expect(cardOf(json({ ...product, url: 'https://evil.example/' }))).toMatchObject({ url });
});

test('long names and descriptions are truncated on a card', () => {
  const card = cardOf(json({ ...product, name: 'n'.repeat(5000), description: 'd'.repeat(50_000) }));
  expect([card?.name.length, card?.description?.length]).toEqual([300, 1000]);
});

test('a price given only in metadata is added at the end of the text', () => {
  const textOf = (body: string) => readHtml(`${json(product)}${body}`, { url }).text;
  expect(textOf('<h1>Kettle</h1><p>It boils water.')).toBe(
    '# Kettle\n\nIt boils water.\n\nPrice: Copper kettle costs 49.90 EUR.',
  );
  expect(readHtml(`<html lang=de><body>${json(product)}<p>Kocht Wasser.`, { url }).text).toBe(
    'Kocht Wasser.\n\nCopper kettle: 49.90 EUR',
  );
});

test.each(['49.90 €', '49,90&nbsp;EUR', 'from 49.90.'])(
  'a price that the page shows (%s) appears once',
  (said) => {
    const text = readHtml(`${json(product)}<h1>Kettle</h1><p>It costs ${said}`, { url }).text;
    expect(text).not.toContain('Copper kettle');
  },
);
