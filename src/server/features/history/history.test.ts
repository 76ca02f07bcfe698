import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSocket, outcomeOf } from '../../../../test/sockets.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { endDeleted } from '../privacy/retain.ts';

let product: Product;
let agentId: string;
let otherAgentId: string;
let bob: TestClient;

beforeAll(async () => {
  product = await startProduct();
  bob = product.as('bob', 'guest');
  [agentId, otherAgentId] = await Promise.all([makeAgent('ada', 'Acme'), makeAgent('eve', 'Other')]);
});
afterAll(() => product.close());

async function makeAgent(person: string, name: string): Promise<string> {
  const client = product.as(person);
  const organizationId = (await client.organization.create({ name })).organization.id;
  return (await client.chatbot.create({ organizationId, name: `${name} helper` })).chatbot.id;
}

async function converse(text: string, options: { chatbotId?: string; temporary?: boolean } = {}) {
  const { conversation } = await bob.chat.create({ chatbotId: agentId, ...options });
  await bob.chat.send({ id: conversation.id, text });
  return conversation.id;
}

const listed = async () => (await bob.chat.list({ count: 100 })).conversations.map(({ id }) => id);

test('titles and messages are searched in every organization, word by word, and only one’s own', async () => {
  const lamp = await converse('How do I change the bulb of my lamp?');
  const bulbs = await converse('Which tulip bulbs can I plant?', { chatbotId: otherAgentId });
  await product.as('eve', 'guest').chat.create({ chatbotId: agentId, title: 'My bulb' });
  const { found } = await bob.history.search({ query: 'BULB' });
  expect(found.map(({ conversation }) => conversation.id)).toEqual([bulbs, lamp]);
  expect(found[1]).toMatchObject({ excerpt: 'How do I change the bulb of my lamp?' });
  const { messages } = await bob.chat.listMessages({ id: lamp });
  expect(found[1]?.messageId).toBe(messages[0]?.id);
  expect((await bob.history.search({ query: 'lamp bulb' })).found).toHaveLength(1);
  expect((await bob.history.search({ query: 'lamp tulip' })).found).toHaveLength(0);
  const first = await bob.history.search({ query: 'bulb', count: 1 });
  const second = await bob.history.search({ query: 'bulb', count: 1, cursor: first.nextCursor ?? '' });
  expect([first, second].map((page) => page.found[0]?.conversation.id)).toEqual([bulbs, lamp]);
  expect(second.nextCursor).toBeNull();
});

test('a temporary conversation can be kept while nothing has been said in it, and begins then', async () => {
  const create = async () => (await bob.chat.create({ chatbotId: agentId, temporary: true })).conversation;
  const { id, createdAt } = await create();
  expect(await listed()).not.toContain(id);
  const { conversation } = await bob.history.update({ id, temporary: false });
  expect(conversation).toMatchObject({ id, temporary: false });
  expect(conversation.createdAt > createdAt).toBe(true);
  expect(await listed()).toContain(id);
  const said = await converse('Leave no trace', { temporary: true });
  await expect(bob.history.update({ id: said, temporary: false })).rejects.toMatchObject({ status: 400 });
  expect(await listed()).not.toContain(said);
});

test('conversations with a deleted agent take no place on a page of the list or of a search', async () => {
  const dan = product.as('dan', 'guest');
  const gone = await makeAgent('fay', 'Gone');
  const kept = (await dan.chat.create({ chatbotId: agentId, title: 'Tulips' })).conversation.id;
  for (let made = 0; made < 3; made += 1) await dan.chat.create({ chatbotId: gone, title: 'Tulips' });
  const [organization] = (await product.as('fay').organization.list()).organizations;
  await product.as('fay').chatbot.remove({ id: gone, organizationId: organization?.id ?? '' });
  const page = await dan.chat.list({ count: 2 });
  expect([page.conversations.map(({ id }) => id), page.nextCursor]).toEqual([[kept], null]);
  const { found, nextCursor } = await dan.history.search({ query: 'tulips', count: 2 });
  expect([found.map(({ conversation }) => conversation.id), nextCursor]).toEqual([[kept], null]);
});

/** Makes the call while a deleting statement is uncommitted; it is committed once the call waits for it. */
async function callWhile(statement: string, call: () => Promise<unknown>): Promise<unknown> {
  const remover = new pg.Client({ connectionString: product.databaseUrl });
  await remover.connect();
  try {
    await remover.query('begin');
    await remover.query(statement);
    const outcome = call().catch((error: unknown) => error);
    const isWaiting = async () => {
      const { rows } = await remover.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      return rows.length;
    };
    await expect.poll(isWaiting).toBe(1);
    await remover.query('commit');
    return await outcome;
  } finally {
    await remover.end();
  }
}

test('an object purged during a change to it, or an addition, is not found', async () => {
  const id = await converse('Where is it?');
  const rename = () => bob.history.update({ id, title: 'There' });
  const renamed = await callWhile(`delete from conversation where id = '${id}'`, rename);
  expect(renamed).toMatchObject({ status: 404 });
  const chatbotId = await makeAgent('gus', 'Gone');
  const begin = () => bob.chat.create({ chatbotId });
  const begun = await callWhile(`delete from agent where id = '${chatbotId}'`, begin);
  expect(begun).toMatchObject({ status: 404 });
});

test('pattern characters stand for themselves', async () => {
  const id = await converse('Is 100% of it_ here \\ or not?');
  for (const query of ['100%', 'it_', '\\'])
    expect((await bob.history.search({ query })).found.map(({ conversation }) => conversation.id)).toEqual([
      id,
    ]);
  for (const query of ['%%%', '_____', "' or 1=1 --", '*'])
    expect((await bob.history.search({ query })).found).toEqual([]);
  expect((await bob.history.search({ query: '   ' })).found).toEqual([]);
});

test('a conversation can be renamed and pinned; pinned ones come first, page by page', async () => {
  const [first, second, third] = [await converse('One'), await converse('Two'), await converse('Three')];
  const { conversation } = await bob.history.update({ id: first, title: '  My first  ', pinned: true });
  expect(conversation).toMatchObject({ title: 'My first', pinned: true });
  expect((await listed()).slice(0, 3)).toEqual([first, third, second]);
  const pages: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await bob.chat.list({ count: 2, cursor });
    pages.push(...page.conversations.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(pages).toEqual(await listed());
  await bob.history.update({ id: first, pinned: false });
  expect((await listed()).indexOf(first)).toBe(2);
  await expect(bob.history.update({ id: first, title: ' ' })).rejects.toMatchObject({ status: 400 });
});

test('a deleted conversation is not found, can be restored for an hour, and then leaves nothing', async () => {
  const id = await converse('Forget me not');
  await bob.history.remove({ id });
  await expect(bob.chat.get({ id })).rejects.toMatchObject({ status: 404 });
  await expect(bob.chat.listMessages({ id })).rejects.toMatchObject({ status: 404 });
  await expect(bob.chat.send({ id, text: 'Hello?' })).rejects.toMatchObject({ status: 404 });
  expect(await listed()).not.toContain(id);
  expect((await bob.history.search({ query: 'Forget me' })).found).toEqual([]);
  await expect(product.as('eve', 'guest').history.restore({ id })).rejects.toMatchObject({ status: 404 });
  await bob.history.restore({ id });
  expect(await listed()).toContain(id);

  await bob.history.remove({ id });
  const { owner } = product.app.deps.db;
  await endDeleted(product.app.deps);
  await bob.history.restore({ id });
  await bob.history.remove({ id });
  await owner.query(`update conversation set deleted_at = now() - interval '61 minutes' where id = $1`, [id]);
  await endDeleted(product.app.deps);
  await expect(bob.history.restore({ id })).rejects.toMatchObject({ status: 404 });
  const { rows } = await owner.query('select from message where conversation_id = $1', [id]);
  expect(rows).toHaveLength(0);
});

test('a temporary conversation works like any other, is listed nowhere, and is gone after a day', async () => {
  const id = await converse('Just between us', { temporary: true });
  expect((await bob.chat.get({ id })).conversation.temporary).toBe(true);
  expect(await listed()).not.toContain(id);
  expect((await bob.history.search({ query: 'between us' })).found).toEqual([]);
  await product.app.deps.db.owner.query(
    `update conversation set updated_at = now() - interval '25 hours' where id = $1`,
    [id],
  );
  await endDeleted(product.app.deps);
  await expect(bob.chat.get({ id })).rejects.toMatchObject({ status: 404 });
});

test('a data export holds every branch and marks the shown one; a document holds that one, and says so', async () => {
  const id = await converse('First words');
  const alone = await bob.history.export({ id, format: 'markdown' });
  expect(alone.text).not.toContain('Other versions');
  const [question, answer] = (await bob.chat.listMessages({ id })).messages;
  await bob.chat.regenerate({ id, messageId: answer?.id ?? '' });
  await bob.chat.edit({ id, messageId: question?.id ?? '', text: 'Second words' });

  const { messages } = await bob.history.export({ id, format: 'json' });
  const placeOf = (sought: string | null) => messages?.findIndex((message) => message.id === sought);
  expect(messages?.map(({ role, active, parentId }) => [role, active, placeOf(parentId)])).toEqual([
    ['user', false, -1],
    ['assistant', false, 0],
    ['assistant', false, 0],
    ['user', true, -1],
    ['assistant', true, 3],
  ]);
  const { text } = await bob.history.export({ id, format: 'markdown' });
  expect(text).toContain('Other versions of its questions and answers are in the JSON export.');
  expect(text).toContain('Second words');
  expect(text?.split('\n\n').slice(1).join()).not.toContain('First words');
});

test('an export holds everything said on the shown branch', async () => {
  const id = await converse('What is *this*?');
  for (let turn = 0; turn < 3; turn += 1) await bob.chat.send({ id, text: `And ${turn}?` });
  const markdown = await bob.history.export({ id, format: 'markdown' });
  expect(markdown.fileName).toMatch(/^What is this \d{4}-\d\d-\d\d\.md$/);
  expect(markdown.text).toContain('# What is \\*this\\*?');
  expect(markdown.text).toContain('## You, ');
  expect(markdown.text).toContain('## Acme helper (AI), ');
  expect(markdown.text).toContain('And 2?');
  const json = await bob.history.export({ id, format: 'json' });
  expect(json).toMatchObject({ text: null, conversation: { id } });
  expect(json.messages).toHaveLength(8);
  await expect(product.as('eve', 'guest').history.export({ id })).rejects.toMatchObject({ status: 404 });
});

test('everybody who has a conversation open learns that it is renamed, deleted or restored', async () => {
  const { id } = (await bob.chat.create({ chatbotId: agentId, title: 'Shared by tabs' })).conversation;
  const socket = openSocket(product, { idToken: (await product.sessionOf('bob', 'guest')).idToken });
  expect(await outcomeOf(socket)).toBe('connected');
  const next = () => new Promise((resolve) => socket.once('conversation.updated', resolve));
  for (const change of [
    () => bob.history.update({ id, title: 'Renamed' }),
    () => bob.history.remove({ id }),
    () => bob.history.restore({ id }),
  ]) {
    const told = next();
    await change();
    expect(await told).toEqual({ conversationId: id });
  }
  socket.close();
});
