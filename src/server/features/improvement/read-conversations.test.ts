import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import type { Database } from '../../db/scope.ts';
import { readConversations } from './read-conversations.ts';
import { insertQuestions, listSaid } from './reading-store.ts';

let product: Product;
let ada: TestClient;
let organizationId: string;

beforeAll(async () => {
  product = await startProduct();
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
});
afterAll(() => product.close());

async function asked(texts: string[]) {
  const { id: agentId } = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot;
  const bob = product.as('bob');
  const { id } = (await bob.chat.create({ chatbotId: agentId })).conversation;
  for (const text of texts) await bob.chat.send({ id, text });
  return { key: { organizationId, agentId }, id, bob };
}

test('a conversation that continues while it is read is read once', async () => {
  const { key, id } = await asked(['Do you ship parcels to Norway?']);
  const { db, pace } = product.app.deps;
  let steps = 0;
  const goingOn: Database['in'] = async (scope, work) => {
    steps += 1;
    if (steps > 50) throw new Error('It is read again and again.');
    const result = await db.in(scope, work);
    await db.owner.query('update conversation set updated_at = clock_timestamp() where id = $1', [id]);
    return result;
  };
  await readConversations({ db: Object.create(db, { in: { value: goingOn } }) as Database, pace }, key);
  const { rows } = await db.owner.query('select from question where conversation_id = $1', [id]);
  expect(rows).toHaveLength(1);
});

test('only what is new or has a new outcome is read again in a conversation read before', async () => {
  const { key, id, bob } = await asked(['Do you ship parcels to Norway?', 'Do you repair violins?']);
  const { db, pace } = product.app.deps;
  const said = async () =>
    (await db.in(key, (tx) => listSaid(tx, key, [id]))).map(({ text, isKnown }) => [text, isKnown]);
  expect(await said()).toEqual([
    ['Do you ship parcels to Norway?', false],
    ['Do you repair violins?', false],
  ]);
  await readConversations({ db, pace }, key);
  expect(await said()).toEqual([]);
  await bob.chat.send({ id, text: 'Do you sell lamps?' });
  expect(await said()).toEqual([['Do you sell lamps?', false]]);
  await readConversations({ db, pace }, key);
  await db.owner.query(
    `update message set receipt = receipt - 'refused' where conversation_id = $1 and parent_id in
      (select id from message where conversation_id = $1 and text = 'Do you repair violins?')`,
    [id],
  );
  expect(await said()).toEqual([['Do you repair violins?', true]]);
  await readConversations({ db, pace }, key);
  expect(await said()).toEqual([]);
});

test('all questions of conversations read together are stored, however many', async () => {
  const { key, id } = await asked(['Do you ship parcels to Norway?']);
  const { db } = product.app.deps;
  const [said] = await db.in(key, (tx) => listSaid(tx, key, [id]));
  if (!said) throw new Error('Nothing was asked.');
  const { messageId, conversationId, answerId, text, askedAt } = said;
  const row = { messageId, conversationId, answerId, text, askedAt };
  const rows = Array.from({ length: 7000 }, () => ({
    ...row,
    isSettled: true,
    why: null,
    confidence: null,
    language: 'en',
    terms: {},
  }));
  expect(await db.in(key, (tx) => insertQuestions(tx, key, rows))).toBe(true);
  expect(await db.in(key, (tx) => insertQuestions(tx, key, rows))).toBe(false);
});
