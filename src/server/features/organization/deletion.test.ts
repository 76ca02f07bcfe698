import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createClient } from '../../../contract/client.ts';
import { contract } from '../../../contract/index.ts';
import { pageOf, startChangingSite, type ChangingSite } from '../../../../test/stand-ins/changing-site.ts';
import { startProduct, type Product } from '../../../../test/product.ts';
import { purgeDeletedAgents } from '../chatbot/purge.ts';
import { sweepRemovedBytes } from '../file/removed-bytes.ts';

let product: Product;
let site: ChangingSite;
let database: pg.Client;
let organizationId: string;
let id: string;

beforeAll(async () => {
  site = await startChangingSite({
    '/': pageOf('Lamps', 'All our lamps.', ['/aurora']),
    '/aurora': pageOf('Aurora', 'The Aurora lamp.'),
  });
  product = await startProduct({ ssrfAllowedHosts: [site.host], crawlRequestsPerSecond: 1000 });
  database = new pg.Client({ connectionString: product.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await product.close();
  await site.close();
});

const ada = () => product.as('ada');

/** An organization with an agent that knows a text, a page and a file, and has conversations. */
beforeEach(async () => {
  organizationId = (await ada().organization.create({ name: 'Acme' })).organization.id;
  id = (await ada().chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  const picture = await readFile('test/fixtures/astronaut.jpg');
  await ada().organization.uploadPhoto({ id: organizationId, media: new File([picture], 'astronaut.jpg') });
  const { file } = await ada().file.upload({
    organizationId,
    media: new File([await readFile('test/fixtures/tables.docx')], 'tables.docx'),
  });
  const add = { id, organizationId };
  await ada().knowledge.create({ ...add, type: 'text', description: 'Hours', text: 'Open from nine.' });
  await ada().knowledge.create({
    ...add,
    type: 'website',
    links: [`${site.url}/`],
    site: { mode: 'domain' },
  });
  await ada().knowledge.create({ ...add, type: 'file', description: 'Tables', files: [file.id] });
  const isReady = async () =>
    (await ada().knowledge.list({ id })).allKnowledge.every(({ progress }) => progress.state === 'ready');
  await expect.poll(isReady, { timeout: 60_000 }).toBe(true);
  const { conversation } = await product.as('bob', 'guest').chat.create({ chatbotId: id });
  await product.as('bob', 'guest').chat.send({ id: conversation.id, text: 'When do you open?' });
});

/** Tables with remaining rows of the organization or the agent. */
async function leftIn(column: 'organization_id' | 'agent_id', value: string): Promise<string[]> {
  const { rows: tables } = await database.query<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = $1`,
    [column],
  );
  const left: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await database.query(`select 1 from "${name}" where ${column} = $1 limit 1`, [
      value,
    ]);
    if (rowCount) left.push(name);
  }
  return left.toSorted();
}

async function storedFiles(): Promise<string[]> {
  await sweepRemovedBytes(product.app.deps);
  const folder = path.join(product.app.deps.config.dataDir, 'files');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

test('a deleted item leaves no row, passage or file', async () => {
  const before = await storedFiles();
  const { allKnowledge } = await ada().knowledge.list({ id });
  for (const { knowledgeId } of allKnowledge) await ada().knowledge.remove({ id, knowledgeId });
  expect(await leftIn('agent_id', id)).toEqual(['agent_version', 'conversation']);
  expect((await storedFiles()).length).toBe(before.length - 1);
});

test('a deleted agent is gone for everybody, but kept for 30 days; then nothing of it is left', async () => {
  await ada().chatbot.remove({ id, organizationId });
  await expect(ada().chatbot.get({ id, organizationId })).rejects.toMatchObject({ status: 404 });
  expect(await leftIn('agent_id', id)).toContain('chunk');
  await purgeDeletedAgents(product.app.deps);
  expect(await leftIn('agent_id', id)).toContain('chunk');
  await database.query(`update agent set deleted_at = now() - interval '31 days' where id = $1`, [id]);
  expect(await purgeDeletedAgents(product.app.deps)).toBe(1);
  expect(await leftIn('agent_id', id)).toEqual([]);
});

test('an agent deleted for good leaves nothing at once', async () => {
  const before = await storedFiles();
  await ada().chatbot.remove({ id, organizationId, permanently: true });
  expect(await leftIn('agent_id', id)).toEqual([]);
  expect((await storedFiles()).length).toBe(before.length - 1);
});

test('a deleted organization leaves no row and no file, and its people lose it', async () => {
  const before = await storedFiles();
  await expect(ada().organization.remove({ id: organizationId, name: 'Other' })).rejects.toMatchObject({
    status: 400,
  });
  await ada().organization.remove({ id: organizationId, name: 'Acme' });
  expect(await leftIn('organization_id', organizationId)).toEqual([]);
  expect(await leftIn('agent_id', id)).toEqual([]);
  expect((await storedFiles()).length).toBe(before.length - 2);
  await expect(ada().organization.get({ id: organizationId })).rejects.toMatchObject({ status: 404 });
  expect(
    (await product.as('bob', 'guest').chat.list()).conversations.map(({ agent }) => agent.id),
  ).not.toContain(id);
});

test('what has too much for the time of a request is moved and deleted all the same', async () => {
  // Each conversation or item takes as long as a hundred thousand, and a request may take a second.
  await database.query(`
    create function take_long() returns trigger language plpgsql as 'begin perform pg_sleep(1.5); return null; end';
    create trigger take_long after update of organization_id or delete on conversation
      for each row execute function take_long();
    create trigger take_long after delete on knowledge for each row execute function take_long()`);
  const { databaseUrl, dataDir } = product.app.deps.config;
  const hurried = await startProduct({ databaseTimeoutSeconds: 1, databaseUrl, dataDir });
  try {
    const other = (await ada().organization.create({ name: 'Other' })).organization.id;
    const asAda = createClient(contract, {
      baseUrl: hurried.url,
      token: async () => (await product.sessionOf('ada')).idToken,
    });
    const [item] = (await ada().knowledge.list({ id })).allKnowledge;
    await asAda.knowledge.remove({ id, knowledgeId: item?.id ?? '' });
    await asAda.agentKeeping.transfer({ id, organizationId, toOrganizationId: other, name: 'Helper' });
    await asAda.chatbot.remove({ id, organizationId: other, permanently: true });
    expect(await leftIn('agent_id', id)).toEqual([]);
    const second = (await ada().chatbot.create({ organizationId, name: 'Second' })).chatbot.id;
    await product.as('bob', 'guest').chat.create({ chatbotId: second });
    await asAda.organization.remove({ id: organizationId, name: 'Acme' });
    expect(await leftIn('organization_id', organizationId)).toEqual([]);
  } finally {
    await hurried.close();
    await database.query('drop function take_long() cascade');
  }
});

test('a name is typed as it looks, whatever its Unicode composition, repeated spaces and invisible characters', async () => {
  const { id } = (await ada().organization.create({ name: 'Cafe\u0301  Zwei\u200b' })).organization;
  for (const name of ['Cafe Zwei', 'CaféZwei', 'Café'])
    await expect(ada().organization.remove({ id, name })).rejects.toMatchObject({ status: 400 });
  expect(await ada().organization.remove({ id, name: ' Café Zwei ' })).toEqual({ deleted: true });
});
