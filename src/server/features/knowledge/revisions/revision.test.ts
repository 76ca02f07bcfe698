import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Knowledge, SiteSettings } from '../../../../contract/knowledge.ts';
import { CRAWL_PAGES_MAX } from '../../../../contract/limits.ts';
import { pageOf, startChangingSite, type ChangingSite } from '../../../../../test/stand-ins/changing-site.ts';
import { startProduct, type Product } from '../../../../../test/product.ts';
import type { Jobs } from '../../../jobs/jobs.ts';
import { syncDueItems } from '../due.ts';
import type { ItemKey } from '../keys.ts';
import { insertSources } from '../source-store.ts';

let product: Product;
let site: ChangingSite;
let database: pg.Client;
let organizationId: string;
let id: string;
let item: { id: string; knowledgeId: string };

beforeAll(async () => {
  site = await startChangingSite();
  product = await startProduct({ ssrfAllowedHosts: [site.host], crawlRequestsPerSecond: 1000 });
  database = new pg.Client({ connectionString: product.databaseUrl });
  await database.connect();
  organizationId = (await ada().organization.create({ name: 'Acme' })).organization.id;
});
afterAll(async () => {
  await database.end();
  await product.close();
  await site.close();
});

beforeEach(async () => {
  id = (await ada().chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  const paths = ['/a', '/b', '/c', '/d'];
  site.pages.set('/', pageOf('Home', 'Welcome to the shop of lanterns.', paths));
  for (const path of paths)
    site.pages.set(path, pageOf(`Page ${path}`, `Facts about lantern${path}, model ${path}${path}.`));
});
afterEach(() => {
  site.pages.clear();
  site.failing.clear();
});

const ada = () => product.as('ada');
const read = async (): Promise<Knowledge> => (await ada().knowledge.get(item)).knowledge;

async function settled(): Promise<Knowledge> {
  await expect.poll(async () => (await read()).progress.state, { timeout: 60_000 }).toMatch(/ready|failed/);
  return read();
}

async function addSite(settings: Partial<SiteSettings> = { mode: 'domain' }): Promise<Knowledge> {
  const input = { id, organizationId, type: 'website' as const, links: [site.url + '/'], site: settings };
  const { knowledge } = await ada().knowledge.create({ ...input, description: 'Shop' });
  item = { id, knowledgeId: knowledge.id };
  return settled();
}

async function resync(): Promise<Knowledge> {
  site.requests.length = 0;
  await ada().knowledge.resync(item);
  return settled();
}

const revisions = async () => (await ada().revision.list(item)).revisions;
const changes = async (number: number) =>
  (await ada().revision.get({ ...item, number })).changes
    .map(({ change, title }) => `${change} ${title}`)
    .toSorted();

async function titlesFound(question: string): Promise<string[]> {
  const { retrieval } = await ada().knowledge.tryQuestion({ id, question });
  return retrieval.passages.map(({ title }) => title);
}

/** Index and sources are consistent: a live source has its passages once, a retired one has none. */
async function expectOneSetOfChunks(): Promise<void> {
  const { rows } = await database.query(
    `select s.id from source s left join chunk c on c.source_id = s.id where s.knowledge_id = $1
      group by s.id having count(c.id) <> count(distinct c.ordinal)
        or (s.retired_in is not null and count(c.id) > 0)
        or (s.retired_in is null and s.state = 'ready' and s.same_as is null and count(c.id) = 0)`,
    [item.knowledgeId],
  );
  expect(rows).toEqual([]);
}

test('a whole site is read by following its links, page by page', async () => {
  const knowledge = await addSite();
  expect(knowledge.progress).toMatchObject({ state: 'ready', done: 5, failed: 0, total: 5 });
  expect(knowledge).toMatchObject({ revision: 1, heldRevision: null, site: { mode: 'domain' } });
  const { sources } = await ada().source.list(item);
  expect(sources.map(({ title }) => title).toSorted()).toEqual([
    'Home',
    'Page /a',
    'Page /b',
    'Page /c',
    'Page /d',
  ]);
  expect(await revisions()).toMatchObject([{ number: 1, state: 'active', cause: 'created', added: 5 }]);
});

test('an unchanged site is not re-read, and no revision is created', async () => {
  await addSite();
  const knowledge = await resync();
  expect(site.requests.filter((request) => request.endsWith('200'))).toEqual([]);
  expect(site.requests.filter((request) => request.endsWith('304'))).toHaveLength(5);
  expect(knowledge).toMatchObject({ revision: 1, progress: { state: 'ready', done: 5, total: 5 } });
  expect(await revisions()).toHaveLength(1);
  await expectOneSetOfChunks();
});

test('a changed, a new and a vanished page make a revision that says so', async () => {
  await addSite();
  site.pages.set('/a', pageOf('Page /a', 'Now it tells of umbrellas.'));
  site.pages.set('/', pageOf('Home', 'Welcome to the shop of lanterns.', ['/a', '/b', '/c', '/d', '/new']));
  site.pages.set('/new', pageOf('Page /new', 'Parasols have arrived.'));
  site.pages.delete('/d');
  const knowledge = await resync();
  expect(knowledge).toMatchObject({
    revision: 2,
    progress: { state: 'ready', done: 5, failed: 0, total: 5 },
  });
  expect((await revisions())[0]).toMatchObject({
    number: 2,
    state: 'active',
    cause: 'synced',
    added: 1,
    changed: 2,
    removed: 1,
    unchanged: 2,
  });
  expect(await changes(2)).toEqual(['added Page /new', 'changed Home', 'changed Page /a', 'removed Page /d']);
  expect(await titlesFound('umbrellas')).toEqual(['Page /a']);
  expect(await titlesFound('parasols')).toEqual(['Page /new']);
  expect(await titlesFound('model /d/d')).not.toContain('Page /d');
  await expectOneSetOfChunks();
});

test('when more than 30 % of the pages vanish the revision is held, and the old one is searched', async () => {
  await addSite();
  for (const path of ['/b', '/c']) site.pages.delete(path);
  const held = await resync();
  expect(held).toMatchObject({ revision: 1, heldRevision: 2, progress: { state: 'ready', done: 5 } });
  expect((await revisions())[0]).toMatchObject({
    state: 'held',
    removed: 2,
    reason: '2 of 5 pages are gone.',
  });
  expect(await changes(2)).toEqual(['removed Page /b', 'removed Page /c']);
  expect(await titlesFound('lantern/b')).toContain('Page /b');

  await ada().revision.discard({ ...item, number: 2 });
  expect(await read()).toMatchObject({ revision: 1, heldRevision: null });

  expect(await resync()).toMatchObject({ heldRevision: 3 });
  await ada().revision.apply({ ...item, number: 3 });
  expect(await settled()).toMatchObject({ revision: 3, heldRevision: null, progress: { done: 3, total: 3 } });
  expect(await titlesFound('lantern/b')).not.toContain('Page /b');
  await expect(ada().revision.apply({ ...item, number: 3 })).rejects.toMatchObject({ status: 409 });
  await expectOneSetOfChunks();
});

test('an unreachable site keeps its known pages', async () => {
  await addSite();
  for (const path of site.pages.keys()) site.failing.set(path, 500);
  const knowledge = await resync();
  expect(knowledge).toMatchObject({ revision: 1, heldRevision: null, progress: { state: 'ready', done: 5 } });
  expect((await revisions())[0]).toMatchObject({ number: 2, state: 'failed' });
  expect(await titlesFound('lantern/b')).toContain('Page /b');
  site.failing.clear();
  expect(await resync()).toMatchObject({ revision: 1, progress: { state: 'ready', error: null } });
});

test('an item can be rolled back to an older revision', async () => {
  await addSite();
  site.pages.set('/a', pageOf('Page /a', 'Now it tells of umbrellas.'));
  site.pages.delete('/d');
  await resync();
  const { revision } = await ada().revision.restore({ ...item, number: 1 });
  expect(revision).toMatchObject({ number: 3, state: 'building', cause: 'restored' });
  expect(await settled()).toMatchObject({ revision: 3, progress: { state: 'ready', done: 5, total: 5 } });
  expect((await revisions()).map(({ state }) => state)).toEqual(['active', 'retired', 'retired']);
  expect(await titlesFound('umbrellas')).toEqual([]);
  expect(await titlesFound('lantern/d')).toContain('Page /d');
  await expectOneSetOfChunks();
});

test('an edited text is a revision, and its older wording can be restored', async () => {
  const text = 'The lamp has a warranty of 31 months.';
  const { knowledge } = await ada().knowledge.create({
    id,
    organizationId,
    type: 'text',
    description: 'Warranty',
    text,
  });
  item = { id, knowledgeId: knowledge.id };
  await settled();
  await ada().knowledge.update({ ...item, organizationId, text: 'The lamp has a guarantee of five years.' });
  expect(await settled()).toMatchObject({ revision: 2, text: 'The lamp has a guarantee of five years.' });
  expect(await titlesFound('months')).toEqual([]);
  await ada().revision.restore({ ...item, number: 1 });
  expect(await settled()).toMatchObject({ revision: 3, text, description: 'Warranty' });
  expect(await titlesFound('months')).toEqual(['Warranty']);
  await expectOneSetOfChunks();
});

test('an item is re-read automatically when due, once', async () => {
  await addSite();
  const { knowledge } = await ada().knowledge.update({ ...item, organizationId, schedule: 'daily' });
  const due = Date.parse(knowledge.nextSyncAt ?? '') - Date.now();
  expect(due).toBeGreaterThan(23.9 * 3_600_000);
  expect(due).toBeLessThanOrEqual(24 * 3_600_000);
  site.pages.set('/a', pageOf('Page /a', 'Now it tells of umbrellas.'));
  await database.query(`update knowledge set next_sync_at = now() - interval '1 second' where id = $1`, [
    item.knowledgeId,
  ]);
  await Promise.all([syncDueItems(product.app.deps), syncDueItems(product.app.deps)]);
  await expect.poll(async () => (await read()).revision, { timeout: 60_000 }).toBe(2);
  const [newest] = await revisions();
  expect(newest).toMatchObject({ number: 2, cause: 'scheduled', changed: 1 });
  expect(Date.parse((await read()).nextSyncAt ?? '')).toBeGreaterThan(Date.now() + 23 * 3_600_000);
});

test('an item that cannot be re-read when due does not keep others waiting', async () => {
  const items: string[] = [];
  for (const path of ['/a', '/b', '/c']) {
    const input = { id, organizationId, type: 'website' as const, links: [site.url + path] };
    const { knowledge } = await ada().knowledge.create({ ...input, schedule: 'daily' });
    item = { id, knowledgeId: knowledge.id };
    await settled();
    items.push(knowledge.id);
  }
  await database.query(`update knowledge set next_sync_at = now() - interval '1 second' where id = any($1)`, [
    items,
  ]);
  const { deps } = product.app;
  const begun: string[] = [];
  const enqueue: Jobs['enqueue'] = async (_tx, _name, data) => {
    const { knowledgeId } = data as ItemKey;
    begun.push(knowledgeId);
    throw new Error('It cannot be begun.');
  };
  const jobs = Object.create(deps.jobs, { enqueue: { value: enqueue } }) as Jobs;
  await expect(syncDueItems({ ...deps, jobs })).rejects.toThrow('Some items could not be read again.');
  expect(begun.toSorted()).toEqual(items.toSorted());
});

test('a site may have as many pages as the crawl limit', async () => {
  await addSite({ mode: 'links' });
  const key = { organizationId, agentId: id, knowledgeId: item.knowledgeId };
  const pages = Array.from({ length: CRAWL_PAGES_MAX }, (_, at) => ({
    kind: 'page' as const,
    title: `Page ${at}`,
    url: `${site.url}/pages/${at}`,
    depth: 1,
  }));
  const written = product.app.deps.db.in({ organizationId }, async (tx) => {
    const made = await insertSources(tx, key, 2, pages);
    throw new Error(`${made} were written, and are taken back.`);
  });
  await expect(written).rejects.toThrow(`${CRAWL_PAGES_MAX} were written`);
});

test('the same text at several addresses is found once', async () => {
  site.pages.set('/copy', site.pages.get('/a') ?? '');
  site.pages.set('/', pageOf('Home', 'Welcome.', ['/a', '/copy']));
  await addSite();
  expect(await titlesFound('lantern/a model')).toEqual(['Page /a']);
  const { sources } = await ada().source.list({ ...item, search: 'copy' });
  const original = (await ada().source.list({ ...item, search: '/a' })).sources.find(
    ({ sameAs }) => sameAs === null,
  );
  expect(original).toMatchObject({ chunks: 1 });
  expect(sources[0]).toMatchObject({ state: 'ready', sameAs: original?.id, chunks: 0 });
});

test('unreadable pages are retried', async () => {
  site.failing.set('/b', 500);
  expect((await addSite()).progress).toMatchObject({ state: 'ready', done: 4, failed: 1 });
  site.failing.clear();
  await ada().knowledge.retry(item);
  expect((await settled()).progress).toMatchObject({ state: 'ready', done: 5, failed: 0, error: null });
  await expectOneSetOfChunks();
});

test('unreadable pages are retried once a held revision has been decided on', async () => {
  site.failing.set('/b', 500);
  await addSite();
  for (const path of ['/c', '/d']) site.pages.delete(path);
  expect(await resync()).toMatchObject({ heldRevision: 2 });
  site.failing.clear();
  await expect(ada().knowledge.retry(item)).rejects.toMatchObject({ status: 409 });
  expect((await read()).progress.state).toBe('ready');
  await ada().revision.discard({ ...item, number: 2 });
  await ada().knowledge.retry(item);
  expect((await settled()).progress).toMatchObject({ state: 'ready', done: 5, failed: 0 });
});

test('only wanted pages are read, and no more than requested', async () => {
  const knowledge = await addSite({ mode: 'domain', include: ['/', '/a*', '/b', '/c'], exclude: ['/c'] });
  expect(knowledge.progress.total).toBe(3);
  expect((await addSite({ mode: 'domain', maxPages: 2 })).progress.total).toBe(2);
  expect((await addSite({ mode: 'domain', maxDepth: 0 })).progress.total).toBe(1);
});

test('a sitemap determines which pages are read', async () => {
  const list = ['/a', '/b'].map((path) => `<url><loc>${site.url}${path}</loc></url>`).join('');
  site.pages.set(
    '/sitemap.xml',
    `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${list}</urlset>`,
  );
  const input = { id, organizationId, type: 'website' as const, links: [`${site.url}/sitemap.xml`] };
  const { knowledge } = await ada().knowledge.create({ ...input, site: { mode: 'sitemap' } });
  item = { id, knowledgeId: knowledge.id };
  expect((await settled()).progress).toMatchObject({ state: 'ready', done: 2, total: 2 });
  site.pages.set('/sitemap.xml', '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>');
  expect(await resync()).toMatchObject({ revision: 1, progress: { state: 'ready', done: 2 } });
  expect((await revisions())[0]).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('sitemap') as string,
  });
});

test('a question-and-answer pair comes first for its question', async () => {
  const add = async (description: string, text: string) => {
    const { knowledge } = await ada().knowledge.create({ id, organizationId, type: 'qa', description, text });
    item = { id, knowledgeId: knowledge.id };
    return settled();
  };
  await ada().knowledge.create({
    id,
    organizationId,
    type: 'text',
    description: 'Returns',
    text: 'Returns: how do I return a lamp? Return a lamp, return two lamps, return any lamp. '.repeat(3),
  });
  await add('How do I return a lamp?', 'Send it back to our depot in Graz within thirty days.');
  await add('Do you have shops?', 'No, we sell online only.');
  const { retrieval } = await ada().knowledge.tryQuestion({ id, question: 'How can I return my lamp?' });
  expect(retrieval.passages[0]).toMatchObject({
    isAnswerOfPair: true,
    title: 'How do I return a lamp?',
    isUsed: true,
  });
  expect(retrieval.support).toBe(1);
  expect(retrieval.passages.slice(1).every(({ isAnswerOfPair }) => !isAnswerOfPair)).toBe(true);
});

test('a short question is understood from the one before', async () => {
  const add = async (description: string, text: string) => {
    const { knowledge } = await ada().knowledge.create({
      id,
      organizationId,
      type: 'text',
      description,
      text,
    });
    item = { id, knowledgeId: knowledge.id };
    await settled();
  };
  await add('Aurora', 'The Aurora lamp is made of brass. Its price is 240 euros.');
  await add('Borealis', 'The Borealis lamp is made of steel. Its price is 90 euros.');
  const guest = product.as('bob', 'guest');
  const { conversation } = await guest.chat.create({ chatbotId: id });
  await guest.chat.send({ id: conversation.id, text: 'What is the Borealis lamp made of?' });
  const { answer } = await guest.chat.send({ id: conversation.id, text: 'And the price?' });
  expect(answer.citations[0]).toMatchObject({ title: 'Borealis' });
});

test('sources, their text and their passages can be viewed', async () => {
  await addSite();
  const { sources, nextCursor } = await ada().source.list({ ...item, count: 2 });
  expect(sources).toHaveLength(2);
  const rest = await ada().source.list({ ...item, count: 10, cursor: nextCursor ?? '' });
  expect(new Set([...sources, ...rest.sources].map((each) => each.id)).size).toBe(5);
  const found = (await ada().source.list({ ...item, search: 'Page /a' })).sources[0];
  const sourceId = found?.id ?? '';
  const { text, nextOffset } = await ada().source.get({ ...item, sourceId });
  expect(text).toContain('Facts about lantern/a');
  expect(nextOffset).toBeNull();
  const { chunks } = await ada().source.listChunks({ ...item, sourceId });
  expect(chunks[0]?.text).toContain('Facts about lantern/a');
  expect(text.slice(chunks[0]?.offset).startsWith(chunks[0]?.text ?? '?')).toBe(true);
});
