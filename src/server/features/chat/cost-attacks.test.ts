import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient, type ApiError } from '../../../contract/client.ts';
import { contract } from '../../../contract/index.ts';
import {
  GUEST_CONVERSATIONS_PER_HOUR_AND_ADDRESS,
  MESSAGE_MAX_CHARACTERS,
  MODEL_FALLBACKS_MAX,
  OUTSIDER_MESSAGES_PER_HOUR,
  VISITOR_MESSAGES_MAX,
} from '../../../contract/limits.ts';
import { openBrowser } from '../../../../test/browser.ts';
import { startFaultyProvider, type FaultyProvider } from '../../../../test/stand-ins/faulty-provider.ts';
import { join } from '../../../../test/join.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { bearing } from '../../../../test/visit.ts';
import { allowanceKey } from '../../access/allowance.ts';

/** The costs that others can cause an organization. */

let product: Product;
let provider: FaultyProvider;
let owner: TestClient;
let organizationId: string;
let agentId: string;

beforeAll(async () => {
  provider = await startFaultyProvider();
  product = await startProduct({
    providers: { openai: { apiKey: 'sk-test', baseUrl: provider.baseUrl, model: 'a,b,c,d' } },
    guestConversationsPerHour: GUEST_CONVERSATIONS_PER_HOUR_AND_ADDRESS,
    providerFailuresMax: 1000,
  });
  owner = product.as('owner');
  organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await owner.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

const limited = { status: 429, code: 'request/rate-limited' };

/** A new guest at this address. */
async function newGuest(address: string): Promise<TestClient> {
  const headers = { 'x-forwarded-for': address };
  const nobody = createClient(contract, {
    baseUrl: product.url,
    fetch: (input, init) =>
      fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), ...headers } }),
  });
  return bearing(product, (await nobody.identity.signInAsGuest()).idToken, headers);
}

test('a message of 1 MB, a paste of a million tokens and one character too many are refused unread', async () => {
  const { id } = (await owner.chat.create({ chatbotId: agentId })).conversation;
  const asked = provider.asked;
  for (const [text, status] of [
    ['x'.repeat(1024 * 1024), 413],
    ['word '.repeat(1_000_000), 413],
    ['x'.repeat(MESSAGE_MAX_CHARACTERS + 1), 400],
    ['\u{fdfa}'.repeat(MESSAGE_MAX_CHARACTERS + 1), 400],
  ] as const) {
    const started = performance.now();
    await expect(owner.chat.send({ id, text })).rejects.toMatchObject({ status });
    expect(performance.now() - started).toBeLessThan(10_000);
  }
  expect(provider.asked).toBe(asked);
});

test('a letter that expands to eighteen is searched as it is, and sent as one', async () => {
  await owner.knowledge.create({
    id: agentId,
    organizationId,
    type: 'text',
    description: 'Hours',
    text: 'Nine to five.',
  });
  const text = '\u{fdfa}'.repeat(MESSAGE_MAX_CHARACTERS);
  const { id } = (await owner.chat.create({ chatbotId: agentId })).conversation;
  const started = performance.now();
  await owner.chat.send({ id, text });
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(Buffer.byteLength(provider.received.at(-1)?.body ?? '')).toBeLessThan(
    MESSAGE_MAX_CHARACTERS * 3 + 8000,
  );
});

test('the model is shown only the last part of an endless conversation', async () => {
  const { id } = (await owner.chat.create({ chatbotId: agentId })).conversation;
  for (let sent = 0; sent < 30; sent += 1) await owner.chat.send({ id, text: `${sent} ${'x'.repeat(1000)}` });
  const { messages } = JSON.parse(provider.received.at(-1)?.body ?? '{}') as { messages: unknown[] };
  expect(messages.length).toBeLessThanOrEqual(22);
});

test('of a guest’s thousand concurrent chats five are begun, and each costs one answer', async () => {
  const guest = await newGuest('203.0.113.1');
  const asked = provider.asked;
  const tries = await Promise.allSettled(
    Array.from({ length: 1000 }, () => guest.chat.create({ chatbotId: agentId, text: 'Hello' })),
  );
  const reasons = tries.flatMap((each) => (each.status === 'rejected' ? [each.reason as ApiError] : []));
  // A slow machine may not have a connection for all of them in time: nothing was taken for these, and they retry.
  expect([limited.code, 'server/unavailable', 'server/busy']).toEqual(
    expect.arrayContaining([...new Set(reasons.map(({ code }) => code))]),
  );
  let made = tries.length - reasons.length;
  await expect
    .poll(
      () =>
        guest.chat.create({ chatbotId: agentId, text: 'Hello' }).then(
          () => `made ${(made += 1)}`,
          ({ code }: ApiError) => code,
        ),
      { timeout: 30_000 },
    )
    .toBe(limited.code);
  // The creator of a conversation may not have learned of it, if the machine was too slow to hear back from the
  // database.
  const { conversations } = await guest.chat.list({ count: 100 });
  expect(conversations).toHaveLength(GUEST_CONVERSATIONS_PER_HOUR_AND_ADDRESS);
  await expect.poll(() => provider.asked - asked).toBe(made);
});

test('a guest sends as many messages as a visitor, across all of their conversations', async () => {
  const guest = await newGuest('203.0.113.2');
  const ids = await Promise.all(
    Array.from({ length: 4 }, async () => (await guest.chat.create({ chatbotId: agentId })).conversation.id),
  );
  const [first = ''] = ids;
  let sent = 0;
  for (const id of ids)
    for (let index = 0; index < VISITOR_MESSAGES_MAX / 4; index += 1) {
      await guest.chat.send({ id, text: `Message ${sent}` });
      sent += 1;
    }
  const asked = provider.asked;
  await expect(guest.chat.send({ id: first, text: 'One more' })).rejects.toMatchObject(limited);
  await expect(guest.chat.retry({ id: first })).rejects.toMatchObject(limited);
  expect(provider.asked).toBe(asked);
  await (await newGuest('203.0.113.3')).chat.create({ chatbotId: agentId, text: 'Others go on' });
});

test('of a guest’s concurrent messages as many are answered as remain', async () => {
  const guest = await newGuest('203.0.113.4');
  const ids = await Promise.all(
    Array.from({ length: 5 }, async () => (await guest.chat.create({ chatbotId: agentId })).conversation.id),
  );
  const [first = ''] = ids;
  const left = 3;
  for (let sent = 0; sent < VISITOR_MESSAGES_MAX - left; sent += 1)
    await guest.chat.send({ id: first, text: `Message ${sent}` });
  const asked = provider.asked;
  const tries = await Promise.allSettled(ids.map((id) => guest.chat.send({ id, text: 'Now' })));
  const refused = tries.flatMap((each) => (each.status === 'rejected' ? [each.reason as ApiError] : []));
  expect(refused).toHaveLength(ids.length - left);
  for (const reason of refused) expect(reason).toMatchObject(limited);
  expect(provider.asked - asked).toBe(left);
});

test('a signed-in person who is not a member of the organization is limited as well, exactly', async () => {
  const browser = openBrowser(product);
  const { user } = await browser.signIn('stranger@example.com');
  const { client: stranger } = browser;
  const ids = await Promise.all(
    Array.from(
      { length: 5 },
      async () => (await stranger.chat.create({ chatbotId: agentId })).conversation.id,
    ),
  );
  const [first = ''] = ids;
  const { answer } = await stranger.chat.send({ id: first, text: 'Hello' });
  await stranger.chat.regenerate({ id: first, messageId: answer.id });
  for (let sent = 2; sent <= VISITOR_MESSAGES_MAX; sent += 1)
    await stranger.chat.send({ id: first, text: `Message ${sent}` });
  const left = 3;
  const { owner: database } = product.app.deps.db;
  const key = allowanceKey(`messages of ${user.uid}`);
  const most = OUTSIDER_MESSAGES_PER_HOUR - left;
  await database.query(`update allowance set taken_at = array_fill(now(), array[$2::int]) where key = $1`, [
    key,
    most,
  ]);
  const asked = provider.asked;
  const tries = await Promise.allSettled(ids.map((id) => stranger.chat.send({ id, text: 'Now' })));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(left);
  for (const each of tries) if (each.status === 'rejected') expect(each.reason).toMatchObject(limited);
  await expect(stranger.chat.retry({ id: first })).rejects.toMatchObject(limited);
  await expect(stranger.chat.create({ chatbotId: agentId, text: 'Again' })).rejects.toMatchObject(limited);
  expect(provider.asked - asked).toBe(left);
});

test('a member of the organization is not limited, whoever they are elsewhere', async () => {
  const { client } = await join(product, owner, 'colleague', { organizationId, role: 'viewer' });
  for (const member of [client, owner]) {
    const { id } = (await member.chat.create({ chatbotId: agentId })).conversation;
    for (let sent = 0; sent < VISITOR_MESSAGES_MAX + 2; sent += 1)
      await member.chat.send({ id, text: 'Hello' });
  }
});

test('however often models fail, the attempts per message are limited', async () => {
  const modelSettings = { model: 'openai/a', fallbacks: ['openai/b', 'openai/c', 'openai/d'] };
  await owner.chatbot.update({ id: agentId, organizationId, modelSettings });
  const { id } = (await owner.chat.create({ chatbotId: agentId })).conversation;
  const media = new File(['A text.'], 'a.txt');
  const { attachment } = await owner.attachment.add({ id, media });
  for (const fault of ['a 401', 'a 429 with Retry-After', 'a 500', 'no word', 'broken events'] as const) {
    provider.fault = fault;
    provider.asked = 0;
    const { answer } = await owner.chat.send({ id, text: 'Well?', attachments: [attachment.id] });
    expect(answer.state).toBe('failed');
    expect([fault, provider.asked <= 3 * (1 + MODEL_FALLBACKS_MAX)]).toEqual([fault, true]);
  }
  provider.fault = 'none';
});
