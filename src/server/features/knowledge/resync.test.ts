import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Knowledge } from '../../../contract/knowledge.ts';
import { pdfOf, streamOf } from '../../../../test/fixtures/hostile.ts';
import { pageOf, startChangingSite, type ChangingSite } from '../../../../test/stand-ins/changing-site.ts';
import { startProduct, type Product } from '../../../../test/product.ts';

let product: Product;
let site: ChangingSite;
let organizationId: string;
let id: string;
let item: { id: string; knowledgeId: string };

beforeAll(async () => {
  site = await startChangingSite();
  product = await startProduct({ ssrfAllowedHosts: [site.host], crawlRequestsPerSecond: 1000 });
  organizationId = (await ada().organization.create({ name: 'Acme' })).organization.id;
});
afterAll(async () => {
  await product.close();
  await site.close();
});

beforeEach(async () => {
  id = (await ada().chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  site.failing.clear();
  site.pages.set('/', pageOf('Home', 'Welcome to the shop of lanterns.', ['/a', '/b']));
  for (const path of ['/a', '/b'])
    site.pages.set(path, pageOf(`Page ${path}`, `Facts about lantern${path}.`));
});

const ada = () => product.as('ada');

async function settled(): Promise<Knowledge> {
  const read = async () => (await ada().knowledge.get(item)).knowledge;
  await expect.poll(async () => (await read()).progress.state, { timeout: 60_000 }).toMatch(/ready|failed/);
  return read();
}

async function resync(): Promise<Knowledge> {
  await ada().knowledge.resync(item);
  return settled();
}

test('a retry during a re-sync leaves the searched revision unchanged', async () => {
  site.failing.set('/b', 500);
  const input = {
    id,
    organizationId,
    type: 'website' as const,
    links: [`${site.url}/`],
    description: 'Shop',
  };
  item = {
    id,
    knowledgeId: (await ada().knowledge.create({ ...input, site: { mode: 'domain' } })).knowledge.id,
  };
  await settled();
  // A busy site is waited for, so it is still being read.
  site.failing.set('/b', 503);
  await ada().knowledge.resync(item);
  await ada().knowledge.retry(item);
  const { progress } = await settled();
  expect(progress).toMatchObject({ state: 'ready', done: 2, failed: 1, total: 3 });
  const { sources } = await ada().source.list(item);
  expect(sources.map(({ state }) => state).toSorted()).toEqual(['failed', 'ready', 'ready']);
  const { revisions } = await ada().revision.list(item);
  expect(revisions.map(({ state }) => state)).toEqual(['active']);
});

test('a product’s typed text stays when its pages are re-read', async () => {
  const input = {
    id,
    type: 'product' as const,
    links: [`${site.url}/a`],
    description: 'Umbrellas are repaired.',
  };
  item = { id, knowledgeId: (await ada().knowledge.addProduct(input)).knowledge.id };
  expect((await settled()).progress).toMatchObject({ state: 'ready', done: 2 });
  expect(await resync()).toMatchObject({ revision: 1, heldRevision: null, progress: { done: 2, total: 2 } });
  site.pages.set('/a', pageOf('Page /a', 'Now it tells of parasols.'));
  expect(await resync()).toMatchObject({ revision: 2, progress: { state: 'ready', done: 2, total: 2 } });
  const { retrieval } = await ada().knowledge.tryQuestion({ id, question: 'repaired' });
  expect(retrieval.passages.map(({ title }) => title)).toEqual(['Umbrellas are repaired.']);
});

test('the missing part of a damaged PDF is reported until it is whole, however often it is re-read', async () => {
  site.pages.set('/a.pdf', twoPages(1));
  item = await read({ links: [`${site.url}/a.pdf`] });
  const note = 'Page 2 of this PDF could not be read and was left out.';
  const said = async () => {
    const { sources } = await ada().source.list(item);
    const { revisions } = await ada().revision.list(item);
    return [sources.map(({ state, error }) => [state, error]), revisions.map(({ state }) => state)];
  };
  await settled();
  expect(await said()).toEqual([[['ready', note]], ['active']]);
  await resync();
  await resync();
  expect(await said()).toEqual([[['ready', note]], ['active']]);
  site.failing.set('/a.pdf', 500);
  await resync();
  expect((await said())[0]).toEqual([['ready', 'It could not be read again. The site answered 500.']]);
  site.failing.clear();
  await resync();
  expect((await said())[0]).toEqual([['ready', note]]);
  site.pages.set('/a.pdf', twoPages(2));
  await resync();
  expect((await said())[0]).toEqual([['ready', null]]);
});

/** Only the first `there` pages exist. */
function twoPages(there: number): Buffer {
  const drawing = `BT /F 9 Tf (${'The lantern is lit by seven. '.repeat(3)}) Tj ET`;
  const page = '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>';
  const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>';
  const pages = `<</Type/Pages/Kids[3 0 R ${there === 2 ? 6 : 9} 0 R]/Count 2>>`;
  const drawn = streamOf('', Buffer.from(drawing));
  return pdfOf(['<</Type/Catalog/Pages 2 0 R>>', pages, page, drawn, font, page]);
}

async function read(input: { links: string[]; site?: { mode: 'domain' | 'links' } }) {
  const described = { id, organizationId, type: 'website' as const, description: 'Shop' };
  return { id, knowledgeId: (await ada().knowledge.create({ ...described, ...input })).knowledge.id };
}

const listed = async () =>
  (await ada().source.list(item)).sources.map(({ url }) => url?.slice(site.url.length));

test('a page that was never read is not said to be unreadable again', async () => {
  site.failing.set('/b', 500);
  item = await read({ links: [`${site.url}/a`, `${site.url}/b`] });
  await settled();
  const said = async () => {
    const { sources } = await ada().source.list(item);
    return Object.fromEntries(sources.map(({ url, error }) => [url?.slice(site.url.length), error]));
  };
  expect(await said()).toEqual({ '/a': null, '/b': 'The site answered 500.' });
  await resync();
  expect(await said()).toEqual({ '/a': null, '/b': 'The site answered 500.' });
  site.failing.set('/a', 500);
  await resync();
  expect(await said()).toEqual({
    '/a': 'It could not be read again. The site answered 500.',
    '/b': 'The site answered 500.',
  });
  // Nothing could be read this time, which the history shows.
  expect((await ada().revision.list(item)).revisions[0]).toMatchObject({ state: 'failed' });
});

test('a page that only asks not to be indexed still leads to others', async () => {
  const archive = pageOf('Archive', 'Everything we wrote.', ['/b']);
  site.pages.set('/', pageOf('Home', 'Welcome to the shop of lanterns.', ['/archive']));
  site.pages.set('/archive', archive.replace('<title>', '<meta name="robots" content="noindex"><title>'));
  item = await read({ links: [`${site.url}/`], site: { mode: 'domain' } });
  await settled();
  expect(await listed()).toEqual(['/', '/b']);
});

test('a page linked to by another than its canonical address is not new at each re-sync', async () => {
  const canonical = (text: string) =>
    pageOf('Page', text).replace('<title>', `<link rel="canonical" href="/a"><title>`);
  const home = (text: string) => site.pages.set('/', pageOf('Home', text, ['/a/']));
  const page = (text: string) => ['/a', '/a/'].map((path) => site.pages.set(path, canonical(text)));
  home('Welcome to the shop of lanterns.');
  page('Lanterns cost 9.');
  item = await read({ links: [`${site.url}/`], site: { mode: 'domain' } });
  await settled();
  expect(await listed()).toEqual(['/', '/a']);
  home('Welcome to the shop of lanterns and candles.');
  page('Lanterns cost 10.');
  await resync();
  expect(await listed()).toEqual(['/', '/a']);
  const [revision] = (await ada().revision.list(item)).revisions;
  expect(revision).toMatchObject({ added: 0, changed: 2, removed: 0 });
});

const feeds = {
  Atom: (paths: string[]) =>
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><link href="/"/>${paths
      .map((path) => `<entry><title>${path}</title><link rel="alternate" href="${path}"/></entry>`)
      .join('')}</feed>`,
  RSS: (paths: string[]) =>
    `<rss><channel><title>News</title><link>${site.url}/</link>${paths
      .map((path) => `<item><link>${site.url}${path}</link></item>`)
      .join('')}</channel></rss>`,
};

test.each([
  ['Atom', 'links'],
  ['RSS', 'links'],
  ['Atom', 'domain'],
] as const)(
  'a feed (%s) given as a page (%s) adds its entries’ pages, and new ones later',
  async (kind, mode) => {
    const address = `${site.url}/news.atom`;
    site.pages.set('/news.atom', feeds[kind](['/a']));
    const look = await ada().website.domainLinks({ id, organizationId, website: address });
    expect(look.links).toEqual([{ url: `${site.url}/a`, title: 'Page /a' }]);
    item = await read({ links: [address], site: { mode } });
    expect((await settled()).progress).toMatchObject({ state: 'ready', done: 1, failed: 0, total: 1 });
    site.pages.set('/news.atom', feeds[kind](['/a', '/b']));
    expect((await resync()).progress).toMatchObject({ state: 'ready', done: 2, failed: 0, total: 2 });
    const { sources } = await ada().source.list(item);
    expect(sources.map(({ url }) => url ?? '').toSorted()).toEqual([`${site.url}/a`, `${site.url}/b`]);
  },
);

test('a feed that cannot be re-read removes nothing', async () => {
  site.pages.set('/news.atom', feeds.Atom(['/a', '/b']));
  item = await read({ links: [`${site.url}/news.atom`] });
  await settled();
  site.failing.set('/news.atom', 500);
  await ada().knowledge.resync(item);
  await settled();
  const { retrieval } = await ada().knowledge.tryQuestion({ id, question: 'Facts about lantern' });
  expect(retrieval.passages).toHaveLength(2);
});

test('a feed without pages of its site says so, and one that a page links to is skipped', async () => {
  site.pages.set('/empty.atom', feeds.Atom(['https://elsewhere.example/a']));
  item = await read({ links: [`${site.url}/empty.atom`] });
  const error = expect.stringMatching(/list of pages/) as string;
  expect((await settled()).progress).toMatchObject({ state: 'failed', error });
  site.pages.set('/', pageOf('Home', 'Welcome to the shop of lanterns.', ['/a', '/feed.list']));
  site.pages.set('/feed.list', feeds.Atom(['/b']));
  item = await read({ links: [`${site.url}/`], site: { mode: 'domain' } });
  expect((await settled()).progress).toMatchObject({ state: 'ready', done: 2, failed: 0, total: 2 });
});
