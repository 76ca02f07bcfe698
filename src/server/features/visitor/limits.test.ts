import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createClient } from '../../../contract/client.ts';
import { contract } from '../../../contract/index.ts';
import { VISITOR_MESSAGES_MAX } from '../../../contract/limits.ts';
import { AppError } from '../../app-error.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { bearing, visit } from '../../../../test/visit.ts';

let product: Product;
let owner: TestClient;
let organizationId: string;
let agentId: string;
beforeAll(async () => {
  product = await startProduct({ guestConversationsPerHour: 5 });
  owner = product.as('owner');
  organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await owner.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
});
afterAll(() => product.close());

const limited = { status: 429, code: 'request/rate-limited' };

/** A new guest or visitor at this address. */
async function newcomer(kind: 'guest' | 'visitor', address: string): Promise<TestClient> {
  const headers = { 'x-forwarded-for': address };
  const at: typeof fetch = (input, init) =>
    fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), ...headers } });
  const nobody = createClient(contract, { baseUrl: product.url, fetch: at });
  const token =
    kind === 'guest'
      ? (await nobody.identity.signInAsGuest()).idToken
      : (await nobody.visitor.authenticate({ chatbotId: agentId })).token;
  return bearing(product, token, headers);
}

test('a visitor can send 20 messages in 240 seconds, across all concurrent conversations', async () => {
  const { apiKey } = await owner.visitor.rotateApiKey({ id: agentId });
  const { chat } = bearing(product, apiKey, { 'end-user': 'eager' });
  const conversations = await Promise.all(
    Array.from({ length: 25 }, () => chat.create({ chatbotId: agentId })),
  );
  const sent = await Promise.allSettled(
    conversations.map(({ conversation: { id } }) => chat.send({ id, text: 'Hello' })),
  );
  expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(VISITOR_MESSAGES_MAX);
  for (const result of sent) if (result.status === 'rejected') expect(result.reason).toMatchObject(limited);
  await expect(chat.create({ chatbotId: agentId, text: 'One more' })).rejects.toMatchObject(limited);
  // Nothing of the refused requests was stored, and nobody else is blocked.
  expect((await chat.list({ count: 100 })).conversations).toHaveLength(25);
  await bearing(product, apiKey, { 'end-user': 'calm' }).chat.create({ chatbotId: agentId, text: 'Hello' });
});

test('a message refused because the agent is still answering does not count', async () => {
  const { apiKey } = await owner.visitor.rotateApiKey({ id: agentId });
  const { chat } = bearing(product, apiKey, { 'end-user': 'impatient' });
  const { id } = (await chat.create({ chatbotId: agentId })).conversation;
  await product.app.deps.db.owner.query(`update conversation set answering = 'msg_busy' where id = $1`, [id]);
  for (let sent = 0; sent < VISITOR_MESSAGES_MAX + 1; sent += 1)
    await expect(chat.send({ id, text: 'And now?' })).rejects.toMatchObject({ code: 'chat/busy' });
});

test('unknown people can begin five conversations an hour from one address, whoever they claim to be', async () => {
  for (const kind of ['guest', 'visitor', 'guest', 'visitor', 'guest'] as const)
    await (await newcomer(kind, '203.0.113.7')).chat.create({ chatbotId: agentId });
  for (const kind of ['guest', 'visitor'] as const) {
    const { chat } = await newcomer(kind, '203.0.113.7');
    await expect(chat.create({ chatbotId: agentId })).rejects.toMatchObject(limited);
    expect((await chat.list()).conversations).toEqual([]);
  }
  await (await newcomer('guest', '203.0.113.8')).chat.create({ chatbotId: agentId });
});

test('a conversation whose first message would be refused as overload is not begun, and does not count toward the five', async () => {
  const { chat } = await newcomer('guest', '203.0.113.20');
  const room = vi.spyOn(product.app.deps.backlog, 'requireRoom').mockImplementation((id) => {
    // As if it were overloaded, which the test client would wait out.
    if (id === organizationId) throw new AppError('server/unavailable');
  });
  for (let asked = 0; asked < 6; asked += 1)
    await expect(chat.create({ chatbotId: agentId })).rejects.toMatchObject({ status: 503 });
  room.mockRestore();
  for (let made = 0; made < 5; made += 1) await chat.create({ chatbotId: agentId });
  await expect(chat.create({ chatbotId: agentId })).rejects.toMatchObject(limited);
});

test('one subscriber’s network counts as one address, and an IPv4 address as the same in any notation', async () => {
  const from = async (addresses: string[]) => {
    for (const address of addresses)
      await (await newcomer('visitor', address)).chat.create({ chatbotId: agentId });
  };
  await from(Array.from({ length: 5 }, (_, index) => `2001:db8:1:2::${index + 1}`));
  await expect(from(['2001:DB8:1:2:ffff::9'])).rejects.toMatchObject(limited);
  await from(['2001:db8:1:3::1']);
  await from(['198.51.100.9', '::ffff:198.51.100.9', '198.51.100.9', '::ffff:198.51.100.9', '198.51.100.9']);
  await expect(from(['::ffff:198.51.100.9'])).rejects.toMatchObject(limited);
});

test('known people can begin any number of conversations', async () => {
  const { apiKey } = await owner.visitor.rotateApiKey({ id: agentId });
  const { chat } = bearing(product, apiKey, { 'end-user': 'known' });
  for (let made = 0; made < 7; made += 1) await chat.create({ chatbotId: agentId });
  for (let made = 0; made < 7; made += 1) await owner.chat.create({ chatbotId: agentId });
});

test('an anonymous visitor’s token is checked against its limit too', async () => {
  const { chat } = bearing(product, (await visit(product, agentId)).token, {
    'x-forwarded-for': '203.0.113.99',
  });
  const { id } = (await chat.create({ chatbotId: agentId })).conversation;
  for (let sent = 0; sent < VISITOR_MESSAGES_MAX; sent += 1) await chat.send({ id, text: 'Hello' });
  await expect(chat.send({ id, text: 'Hello' })).rejects.toMatchObject(limited);
  // Regenerating the last answer costs as much.
  await expect(chat.retry({ id })).rejects.toMatchObject(limited);
});
