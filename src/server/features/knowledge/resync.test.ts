import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Knowledge } from '../../../contract/knowledge.ts';
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

test('trying again while it is read again anyway leaves what is searched as it is', async () => {
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
  // A busy site is waited for, and so it is still being read.
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

test('what was typed of a product stays when its pages are read again', async () => {
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
