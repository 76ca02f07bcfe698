import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { channelUrls } from '../../../../test/channel-urls.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { startSlackService, type SlackService } from '../../../../test/stand-ins/slack-service.ts';
import { makeTaughtAgent } from '../../../../test/taught-agent.ts';

let service: SlackService;
let provider: Provider;
let product: Product;
let owner: TestClient;
let organizationId: string;
let pluginId: string;
let agentId: string;
beforeAll(async () => {
  service = await startSlackService();
  provider = await startProvider({ pieces: ['Until nine.'] });
  product = await startProduct({
    providers: { openai: provider.openai },
    channelUrls: channelUrls({ slack: service.url }),
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
  provider.script = { pieces: ['Until ', 'nine ', '[1].'] };
  agentId = (await makeTaughtAgent(owner, organizationId, 'The shop closes at nine in the evening.')).id;
  pluginId = (await install()).id;
  service.sent = [];
  service.calls = [];
});

async function install(botToken = service.token) {
  const { plugin } = await owner.plugin.create({
    chatbotId: agentId,
    type: 'slack',
    settingsData: {},
    credentials: { botToken, signingSecret: service.signingSecret },
  });
  service.webhookUrl = plugin.webhookUrl ?? '';
  return plugin;
}

const told = () => service.sent.map(({ text }) => text);
const kept = async () => (await owner.plugin.listMessages({ id: pluginId })).messages;

test("a bot is identified by its token, Slack's challenge is answered, and nobody can read token or secret", async () => {
  const { plugin } = await owner.plugin.get({ id: pluginId });
  expect(plugin).toMatchObject({ connection: { accountName: 'Acme/helper' }, health: { state: 'healthy' } });
  expect(JSON.stringify(plugin)).not.toMatch(/xoxb|8f742/);
  const answer = await service.post({ type: 'url_verification', challenge: 'c4all' });
  expect(await answer.json()).toEqual({ challenge: 'c4all' });
  expect((await install('xoxb-wrong')).health).toMatchObject({ error: 'Slack said: invalid_auth' });
});

test('a direct message is answered where it was written, once, however often Slack sends it', async () => {
  const message = service.direct('When does the shop close?');
  const statuses = [
    service.deliver(message),
    service.deliver(message),
    service.deliver(message, { retry: 1 }),
  ];
  expect(await Promise.all(statuses)).toEqual([200, 200, 200]);
  await expect.poll(told).toHaveLength(1);
  expect(service.sent[0]).toMatchObject({ channel: 'D1', threadTs: undefined, parse: 'none' });
  expect(told()[0]).toContain('Until nine');
  await service.deliver(message, { retry: 2 });
  await service.deliver(service.direct('And tomorrow?'));
  await expect.poll(told).toHaveLength(2);
  const messages = await kept();
  expect(messages.map(({ personName, text }) => [personName, text])).toEqual([
    ['Ada', 'And tomorrow?'],
    ['Ada', 'When does the shop close?'],
  ]);
  expect(new Set(messages.map(({ conversationId }) => conversationId)).size).toBe(1);
  // Each person's identity was looked up once.
  expect(service.calls.filter((method) => method === 'users.info').length).toBeLessThanOrEqual(3);
});

test('a request that is forged, unsigned or older than five minutes is refused and not stored', async () => {
  const message = service.direct('Hello?');
  expect(await service.deliver(message, { secret: 'forged' })).toBe(401);
  expect(await service.deliver(message, { secret: '' })).toBe(401);
  expect(await service.deliver(message, { age: 301 })).toBe(401);
  expect(await service.deliver(message, { age: -301 })).toBe(401);
  const unsigned = await fetch(service.webhookUrl, {
    method: 'POST',
    body: JSON.stringify({ event: message }),
  });
  expect(unsigned.status).toBe(401);
  expect(await kept()).toEqual([]);
});

test('in a channel it answers whoever mentions it in a thread, and continues there with them alone', async () => {
  await service.deliver(service.inChannel('What a nice day'));
  const mention = service.mention('when does the shop close?', { ts: '1700000001.000100' });
  await service.deliver(mention);
  // Slack reports the same message twice if the bot can read the whole channel.
  await service.deliver({ ...mention, type: 'message', channel_type: 'channel' });
  await expect.poll(told).toHaveLength(1);
  expect(service.sent[0]).toMatchObject({ channel: 'C1', threadTs: '1700000001.000100' });
  expect(service.calls).toContain('assistant.threads.setStatus');
  const inThread = { thread_ts: '1700000001.000100' };
  await service.deliver(service.inChannel('Not you', { ...inThread, user: 'U78' }));
  await service.deliver(service.inChannel('I am a bot', { ...inThread, bot_id: 'B2' }));
  await service.deliver(service.inChannel('changed', { ...inThread, subtype: 'message_changed' }));
  await service.deliver(service.inChannel('And on Sundays?', inThread));
  await expect.poll(told).toHaveLength(2);
  expect((await kept()).map(({ text }) => text)).toEqual(['And on Sundays?', 'when does the shop close?']);
});

test('an answer is formatted for Slack, pings nobody and hides no address', async () => {
  const hostile =
    '# Hours\n\n**Nine** & <!channel> <@U1> @here <https://evil.example|bank.example> ' +
    '[bank.example](https://evil.example/a|b) [the page](https://shop.example/?a=1&b=2) [x](javascript:alert) `a<b`';
  provider.script = { pieces: [hostile] };
  await service.deliver(service.direct('When does the shop close?'));
  await expect.poll(told).toHaveLength(1);
  const [text = ''] = told();
  expect(text).toContain('*Hours*\n\n*Nine* &amp; &lt;!channel&gt;');
  expect(text).toContain('&lt;@U1&gt; @here');
  expect(text).toContain('<https://shop.example/?a=1&amp;b=2|the page>');
  expect(text).toContain('bank.example (<https://evil.example/a%7Cb|');
  expect(text).toContain('`a&lt;b`');
  expect(text).not.toMatch(/<[!@#]|\|bank\.example>|javascript/);
});

test('a message that Slack cannot accept now is delivered later, and members see one that it refuses', async () => {
  service.failing = { error: 'ratelimited', times: 1 };
  await service.deliver(service.direct('When does the shop close?'));
  await expect.poll(told, { timeout: 60_000 }).toHaveLength(1);
  service.failing = { error: 'channel_not_found', times: 1 };
  await service.deliver(service.direct('And tomorrow?'));
  await expect
    .poll(async () => (await kept())[0])
    .toMatchObject({ state: 'failed', error: 'Slack said: channel_not_found' });
  expect((await owner.plugin.get({ id: pluginId })).plugin.health.state).toBe('failing');
});

test('a long answer is split into parts that Slack accepts', async () => {
  const words = Array.from({ length: 1500 }, (_, index) => `word${index}${index % 50 === 49 ? '\n\n' : ' '}`);
  provider.script = { pieces: words };
  await service.deliver(service.direct('Tell me everything'));
  await expect.poll(() => told().join(' ')).toContain('word1499');
  expect(service.sent.length).toBeGreaterThan(2);
  for (const text of told()) expect(text.length).toBeLessThanOrEqual(4000);
});
