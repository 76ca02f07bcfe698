import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Knowledge } from '../../../contract/knowledge.ts';
import { plans } from '../../../contract/plans.ts';
import { startProduct, type Product } from '../../../../test/product.ts';

/** A file can be replaced by a newer version: the old one is searched until the new one has been read. */

const ROOM = 20_000;
let product: Product;
let organizationId: string;
let id: string;

beforeAll(async () => {
  const FREE_PLAN = { ...plans.FREE_PLAN, knowledgeBytes: ROOM, requestsAMinute: 1000 };
  product = await startProduct({ billing: { mode: 'on', plans: { ...plans, FREE_PLAN } } });
});
afterAll(() => product.close());
beforeEach(async () => {
  organizationId = (await ada().organization.create({ name: 'Acme' })).organization.id;
  id = (await ada().chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
});

const ada = () => product.as('ada');

async function upload(name: string, content: string): Promise<string> {
  const media = new File([content], name, { type: 'text/plain' });
  return (await ada().file.upload({ organizationId, media })).file.id;
}

async function settled(knowledgeId: string): Promise<Knowledge> {
  const read = async () => (await ada().knowledge.get({ id, knowledgeId })).knowledge;
  await expect.poll(async () => (await read()).progress.state, { timeout: 60_000 }).toMatch(/ready|failed/);
  return read();
}

async function add(name: string, content: string): Promise<Knowledge> {
  const files = [await upload(name, content)];
  const item = { id, organizationId, type: 'file' as const, description: name, files };
  return settled((await ada().knowledge.create(item)).knowledge.id);
}

async function exchange({ id: knowledgeId }: Knowledge, files: string[]): Promise<Knowledge> {
  await ada().knowledge.update({ id, organizationId, knowledgeId, files });
  return settled(knowledgeId);
}

async function found(question: string): Promise<string> {
  const { retrieval } = await ada().knowledge.tryQuestion({ id, question });
  return retrieval.passages.map(({ text }) => text).join('\n');
}

const namesOf = ({ files }: Knowledge) => files.map(({ name }) => name);

test('the newer version replaces the older one, whose name and text come back when it is restored', async () => {
  const item = await add('prices 2025.txt', 'A lantern costs nine euros.');
  const key = { id, knowledgeId: item.id };
  const replaced = await exchange(item, [await upload('prices 2026.txt', 'A lantern costs twelve euros.')]);
  expect(replaced).toMatchObject({ id: item.id, description: 'prices 2026.txt', revision: 2 });
  expect(namesOf(replaced)).toEqual(['prices 2026.txt']);
  expect(await found('What does a lantern cost?')).toBe('A lantern costs twelve euros.');

  await ada().revision.restore({ ...key, number: 1 });
  const restored = await settled(item.id);
  expect(restored.description).toBe('prices 2025.txt');
  expect(await found('What does a lantern cost?')).toBe('A lantern costs nine euros.');
  const got = await ada().source.readFile({ ...key, fileId: restored.files[0]?.id ?? '' });
  expect(await got.text()).toBe('A lantern costs nine euros.');
});

test('an item keeps the name that somebody gave it', async () => {
  const item = await add('prices.txt', 'A lantern costs nine euros.');
  const key = { id, organizationId, knowledgeId: item.id };
  await ada().knowledge.update({ ...key, description: 'Price list' });
  const files = [await upload('prices new.txt', 'A lantern costs twelve euros.')];
  expect(await exchange(item, files)).toMatchObject({ description: 'Price list' });
});

test('a version that cannot be read leaves the old one, and says why', async () => {
  const item = await add('prices.txt', 'A lantern costs nine euros.');
  const kept = await exchange(item, [await upload('prices.md', ' \n ')]);
  expect(kept).toMatchObject({ description: 'prices.txt', revision: 1, progress: { state: 'ready' } });
  expect(namesOf(kept)).toEqual(['prices.txt']);
  expect(kept.progress.error).toMatch(/^Its newer version could not be read\. ./);
  expect(await found('What does a lantern cost?')).toBe('A lantern costs nine euros.');
  const { revisions } = await ada().revision.list({ id, knowledgeId: item.id });
  expect(revisions.map(({ number, state }) => [number, state])).toEqual([
    [2, 'failed'],
    [1, 'active'],
  ]);

  const mended = await exchange(kept, [await upload('prices.txt', 'A lantern costs twelve euros.')]);
  expect(mended.progress).toMatchObject({ state: 'ready', error: null });
});

test('files that stay are not read again, and those left out go', async () => {
  const [one, two, three] = [
    await upload('one.txt', 'The red lamp.'),
    await upload('two.txt', 'The blue lamp.'),
    await upload('three.txt', 'The green lamp.'),
  ];
  const made = await ada().knowledge.create({ id, organizationId, type: 'file', files: [one, two] });
  const item = await settled(made.knowledge.id);
  const sources = async () => (await ada().source.list({ id, knowledgeId: item.id })).sources;
  const [first] = await sources();
  expect(namesOf(await exchange(item, [one, three]))).toEqual(['one.txt', 'three.txt']);
  expect((await sources())[0]).toEqual(first);
  expect(namesOf(await exchange(item, [three]))).toEqual(['three.txt']);
  expect(await found('Which lamp?')).toBe('The green lamp.');
  const { revision } = await exchange(item, [three]);
  expect(revision).toBe(3);
});

test('of several files, a new one takes the place of the one of its name', async () => {
  const older = [await upload('red.txt', 'The red lamp.'), await upload('blue.txt', 'The blue lamp.')];
  const made = await ada().knowledge.create({ id, organizationId, type: 'file', files: older });
  const item = await settled(made.knowledge.id);
  const newer = [await upload('blue.txt', ' \n '), await upload('red.txt', 'The dark red lamp.')];
  await exchange(item, newer);
  const { sources } = await ada().source.list({ id, knowledgeId: item.id });
  const errors = Object.fromEntries(sources.map(({ title, error }) => [title, error]));
  expect(errors['blue.txt']).toMatch(/^Its newer version could not be read\./);
  expect(errors['red.txt']).toBeNull();
  const lamps = (await found('Which lamp?')).split('\n').toSorted();
  expect(lamps).toEqual(['The blue lamp.', 'The dark red lamp.']);
});

test.each([
  ['new.txt', 'A lantern costs twelve euros.'],
  ['blank.txt', ' \n '],
])('a replacement that is taken back while it is being read has no effect: %s', async (name, content) => {
  const item = await add('prices.txt', 'A lantern costs nine euros.');
  const old = item.files.map((file) => file.id);
  const storage = product.app.deps.patientStorage;
  const get = storage.get.bind(storage);
  const [reached, arrives] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const spy = vi.spyOn(storage, 'get').mockImplementation(async (key) => {
    reached.resolve();
    await arrives.promise;
    return get(key);
  });
  const key = { id, organizationId, knowledgeId: item.id };
  await ada().knowledge.update({ ...key, files: [await upload(name, content)] });
  await reached.promise;
  await ada().knowledge.update({ ...key, files: old });
  arrives.resolve();
  spy.mockRestore();
  expect(await settled(item.id)).toMatchObject({
    description: 'prices.txt',
    progress: { state: 'ready', error: null },
  });
  expect(await found('What does a lantern cost?')).toBe('A lantern costs nine euros.');
});

test('the old version counts towards the room for text only until the new one has its place', async () => {
  const item = await add('long.txt', 'A long text about lanterns. '.repeat(500));
  const longer = await exchange(item, [await upload('longer.txt', 'A longer text on lamps. '.repeat(700))]);
  expect(longer).toMatchObject({ description: 'longer.txt', progress: { state: 'ready', error: null } });
  const full = await exchange(longer, [await upload('longest.txt', 'Many words on lights. '.repeat(1500))]);
  expect(full.description).toBe('longer.txt');
  expect(full.progress.error).toContain('has room for');
});

test('only files of the organization, for an item made of files that has been read', async () => {
  const file = await upload('a.txt', 'Text.');
  const input = { id, organizationId, type: 'text' as const, description: 'Some text.' };
  const text = (await ada().knowledge.create(input)).knowledge.id;
  const update = (knowledgeId: string, files: string[]) =>
    ada().knowledge.update({ id, organizationId, knowledgeId, files });
  await expect(update(text, [file])).rejects.toMatchObject({ status: 400 });
  const item = await add('b.txt', 'Other text.');
  const other = (await product.as('eve').organization.create({ name: 'Evil' })).organization.id;
  const media = new File(['Secret.'], 'secret.txt', { type: 'text/plain' });
  const foreign = (await product.as('eve').file.upload({ organizationId: other, media })).file.id;
  await expect(update(item.id, [foreign])).rejects.toMatchObject({ status: 404 });
  await expect(update(item.id, [])).rejects.toMatchObject({ status: 400 });
  expect(namesOf(await settled(item.id))).toEqual(['b.txt']);
});
