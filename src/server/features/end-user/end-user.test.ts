import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { buy, connectAccount, pack, sell } from '../../../../test/selling.ts';

let product: Product;
let ada: TestClient;
let agentId: string;

beforeAll(async () => {
  product = await startProduct();
  ada = product.as('ada');
  const organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
});
afterAll(() => product.close());

async function talk(client: TestClient, texts: string[], options: { temporary?: boolean } = {}) {
  const { id } = (await client.chat.create({ chatbotId: agentId, ...options })).conversation;
  for (const text of texts) await client.chat.send({ id, text });
  return id;
}

test('members see who has talked with an agent, most recent first, and what they said', async () => {
  const bob = product.as('bob');
  const guest = product.as('gus', 'guest');
  const first = await talk(bob, ['Hello', 'And again']);
  const second = await talk(bob, ['Once more']);
  await talk(bob, ['Not to be seen'], { temporary: true });
  await talk(guest, ['Hi']);
  await bob.answer.rate({
    id: second,
    messageId: (await bob.chat.listMessages({ id: second })).messages.at(-1)?.id ?? '',
    rating: 'down',
  });

  const { users } = await ada.endUser.list({ id: agentId });
  expect(users.map(({ name, kind, conversations }) => [name, kind, conversations])).toEqual([
    ['Guest', 'guest', 1],
    ['bob', 'user', 2],
  ]);
  const found = await ada.endUser.list({ id: agentId, search: 'BO' });
  expect(found.users.map(({ name }) => name)).toEqual(['bob']);
  const userId = users[1]?.id ?? '';
  expect((await ada.endUser.get({ id: agentId, userId })).user).toMatchObject({
    conversations: 2,
    messages: 3,
    ratedUp: 0,
    ratedDown: 1,
    handovers: 0,
  });

  const all = await ada.endUser.listConversations({ id: agentId });
  expect(all.conversations).toHaveLength(3);
  const ofBob = await ada.endUser.listConversations({ id: agentId, userId, orderBy: 'asc' });
  expect(ofBob.conversations.map(({ id }) => id)).toEqual([first, second]);
  const rated = await ada.endUser.listConversations({ id: agentId, rating: 'down' });
  expect(rated.conversations.map(({ id }) => id)).toEqual([second]);
  expect((await ada.endUser.listConversations({ id: agentId, channel: 'telegram' })).conversations).toEqual(
    [],
  );

  const read = await ada.endUser.getConversation({ id: agentId, conversationId: first, count: 3 });
  expect(read.messages.map(({ text, role }) => [role, role === 'user' ? text : ''])).toEqual([
    ['user', 'Hello'],
    ['assistant', ''],
    ['user', 'And again'],
  ]);
  const rest = await ada.endUser.getConversation({
    id: agentId,
    conversationId: first,
    cursor: read.nextCursor ?? '',
  });
  expect(rest.messages).toHaveLength(1);
  expect(rest.nextCursor).toBeNull();
});

test('pages continue where they ended, and hold nothing of another agent', async () => {
  for (const name of ['one', 'two', 'three', 'four', 'five']) await talk(product.as(name), ['Hello']);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await ada.endUser.list({ id: agentId, count: 2, cursor });
    seen.push(...page.users.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toHaveLength(7);
  const conversations: string[] = [];
  do {
    const page = await ada.endUser.listConversations({ id: agentId, count: 3, cursor });
    conversations.push(...page.conversations.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(new Set(conversations).size).toBe(8);
  const newest = await ada.endUser.listConversations({ id: agentId, count: 3 });
  cursor = newest.nextCursor ?? '';
  const turned = ada.endUser.listConversations({ id: agentId, count: 3, cursor, orderBy: 'asc' });
  await expect(turned).rejects.toMatchObject({ status: 400, errors: [{ path: 'cursor' }] });

  const eve = product.as('eve');
  const organizationId = (await eve.organization.create({ name: 'Evil' })).organization.id;
  const own = (await eve.chatbot.create({ organizationId, name: 'Mine' })).chatbot.id;
  for (const act of [
    () => eve.endUser.list({ id: agentId }),
    () => eve.endUser.get({ id: own, userId: seen[0] ?? '' }),
    () => eve.endUser.listConversations({ id: own, userId: seen[0] ?? '' }),
    () => eve.endUser.getConversation({ id: own, conversationId: conversations[0] ?? '' }),
    () => eve.endUser.getConversation({ id: agentId, conversationId: conversations[0] ?? '' }),
  ])
    await expect(act()).rejects.toMatchObject({ status: 404 });
});

test('conversations can be found by the product that paid for them', async () => {
  const organizationId = (await ada.organization.create({ name: 'Shop' })).organization.id;
  const { id } = (await ada.chatbot.create({ organizationId, name: 'Adviser' })).chatbot;
  await connectAccount(product, ada, organizationId);
  const key = { organizationId, agentId: id };
  const [sold, other] = [await sell(ada, key, pack(10)), await sell(ada, key, pack(20), 'More')];
  const kim = product.as('kim');
  await buy(product, kim, sold.id);
  const { conversation } = await kim.chat.create({ chatbotId: id });
  await kim.chat.send({ id: conversation.id, text: 'Hello' });
  const found = async (productId: string) =>
    (await ada.endUser.listConversations({ id, productId })).conversations.map((each) => each.id);
  expect(await found(sold.id)).toEqual([conversation.id]);
  expect(await found(other.id)).toEqual([]);
});
