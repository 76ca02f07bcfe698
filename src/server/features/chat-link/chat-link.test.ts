import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHAT_LINKS_MAX } from '../../../contract/limits.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { join } from '../../../../test/join.ts';

let product: Product;
let organizationId: string;
let agentId: string;
let bob: TestClient;

beforeAll(async () => {
  product = await startProduct();
  bob = product.as('bob');
  const ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
});
afterAll(() => product.close());

async function converse(): Promise<string> {
  const { conversation } = await bob.chat.create({ chatbotId: agentId });
  await bob.chat.send({ id: conversation.id, text: 'Shared words' });
  return conversation.id;
}

const nobody = () => product.as('nobody', 'anonymous');
const missing = { status: 404, code: 'resource/not-found' };

test('anybody can read a shared conversation as it was, without learning whose it is', async () => {
  const id = await converse();
  const { link } = await bob.chatLink.create({ id, audience: 'anybody' });
  await bob.chat.send({ id, text: 'Later words' });
  const { messages } = await bob.chat.listMessages({ id });
  await bob.answer.rate({ id, messageId: messages[1]?.id ?? '', rating: 'down', comment: 'Secret opinion' });
  const opened = await nobody().chatLink.open({ token: link.token });
  expect(opened.messages.map(({ text }) => text)[0]).toBe('Shared words');
  expect(opened.messages).toHaveLength(2);
  expect(opened.messages[1]).toMatchObject({ rating: null, author: null });
  expect(JSON.stringify(opened)).not.toContain('usr_');
  expect(JSON.stringify(opened)).not.toContain('org_');
  const page = await nobody().chatLink.open({ token: link.token, count: 1 });
  const rest = await nobody().chatLink.open({ token: link.token, count: 1, cursor: page.nextCursor ?? '' });
  expect([...page.messages, ...rest.messages]).toHaveLength(2);
  expect(rest.nextCursor).toBeNull();
});

test('a shared conversation stays as it was, whatever is later said, chosen or renamed', async () => {
  const { conversation } = await bob.chat.create({ chatbotId: agentId });
  const { id } = conversation;
  const first = await bob.chat.send({ id, text: 'A private thing' });
  await bob.chat.edit({ id, messageId: first.message.id, text: 'A public thing' });
  await bob.history.update({ id, title: 'Of lamps' });
  const { link } = await bob.chatLink.create({ id, audience: 'anybody' });
  const read = async () => {
    const { conversation: shown, messages } = await nobody().chatLink.open({ token: link.token });
    return { title: shown.title, messages: messages.map((each) => [each.id, each.text]) };
  };
  const shared = await read();
  expect(shared.title).toBe('Of lamps');
  expect(shared.messages.map(([, text]) => text)[0]).toBe('A public thing');
  expect(shared.messages).toHaveLength(2);

  await bob.chat.regenerate({ id, messageId: shared.messages[1]?.[0] ?? '' });
  expect(await read()).toEqual(shared);
  await bob.chat.edit({ id, messageId: shared.messages[0]?.[0] ?? '', text: 'Something else' });
  expect(await read()).toEqual(shared);
  await bob.chat.choose({ id, messageId: first.message.id });
  await bob.history.update({ id, title: 'Of secrets' });
  expect(await read()).toEqual(shared);
  const page = await nobody().chatLink.open({ token: link.token, count: 1 });
  const rest = await nobody().chatLink.open({ token: link.token, count: 1, cursor: page.nextCursor ?? '' });
  expect([...page.messages, ...rest.messages].map((each) => [each.id, each.text])).toEqual(shared.messages);
});

test('a link for the organization works for its members alone', async () => {
  const id = await converse();
  const { link } = await bob.chatLink.create({ id, audience: 'organization' });
  const { client } = await join(product, product.as('ada'), 'reader', { organizationId, role: 'viewer' });
  expect((await client.chatLink.open({ token: link.token })).messages).toHaveLength(2);
  for (const stranger of [nobody(), product.as('eve'), product.as('guest', 'guest')])
    await expect(stranger.chatLink.open({ token: link.token })).rejects.toMatchObject(missing);
});

test('a link ends when it is revoked, expires, or its conversation is deleted; forged ones do not exist', async () => {
  const id = await converse();
  const make = async () => (await bob.chatLink.create({ id, audience: 'anybody', days: 7 })).link;
  const [revoked, expired, kept] = [await make(), await make(), await make()];
  await bob.chatLink.revoke({ id, linkId: revoked.id });
  await product.app.deps.db.owner.query(`update chat_link set expires_at = now() where id = $1`, [
    expired.id,
  ]);
  expect((await bob.chatLink.list({ id })).links.map((link) => link.token)).toEqual([kept.token]);
  const forged = `${kept.id}.${kept.token.split('.')[1]?.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))}`;
  const swapped = `${kept.id}.${revoked.token.split('.')[1]}`;
  for (const token of [
    revoked.token,
    expired.token,
    forged,
    swapped,
    kept.id,
    `${kept.token}.x`,
    'shr_',
    '..',
  ])
    await expect(nobody().chatLink.open({ token })).rejects.toMatchObject(missing);
  await nobody().chatLink.open({ token: kept.token });
  await bob.history.remove({ id });
  await expect(nobody().chatLink.open({ token: kept.token })).rejects.toMatchObject(missing);
});

test('a temporary conversation cannot be shared: a link would promise more than its day', async () => {
  const { conversation } = await bob.chat.create({ chatbotId: agentId, temporary: true });
  const { id } = conversation;
  await bob.chat.send({ id, text: 'Leave no trace' });
  for (const days of [undefined, 1, 30])
    await expect(bob.chatLink.create({ id, audience: 'anybody', days })).rejects.toMatchObject({
      status: 409,
      code: 'resource/conflict',
    });
  expect((await bob.chatLink.list({ id })).links).toEqual([]);
});

test('a conversation with an agent that has become private is no longer shown to outsiders', async () => {
  const ada = product.as('ada');
  const { chatbot } = await ada.chatbot.create({ organizationId, name: 'Soon private' });
  const { conversation } = await bob.chat.create({ chatbotId: chatbot.id });
  const { link } = await bob.chatLink.create({ id: conversation.id, audience: 'anybody' });
  await nobody().chatLink.open({ token: link.token });
  await ada.chatbot.update({ id: chatbot.id, organizationId, isPublic: false });
  await expect(nobody().chatLink.open({ token: link.token })).rejects.toMatchObject(missing);
  await ada.chatLink.open({ token: link.token });
});

test('nobody can share somebody else’s conversation', async () => {
  const id = await converse();
  const eve = product.as('eve');
  await expect(eve.chatLink.create({ id, audience: 'anybody' })).rejects.toMatchObject(missing);
  await expect(eve.chatLink.list({ id })).rejects.toMatchObject(missing);
});

test('a conversation has a limited number of links at once', async () => {
  const id = await converse();
  const make = () => bob.chatLink.create({ id, audience: 'anybody' });
  for (let made = 0; made < CHAT_LINKS_MAX; made += 1) await make();
  await expect(make()).rejects.toMatchObject({ status: 409, code: 'resource/conflict' });
  const { links } = await bob.chatLink.list({ id });
  await bob.chatLink.revoke({ id, linkId: links[0]?.id ?? '' });
  await make();
});
