import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { channelUrls } from '../../../../test/channel-urls.ts';
import { startDiscordService, type DiscordService } from '../../../../test/stand-ins/discord-service.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { makeTaughtAgent } from '../../../../test/taught-agent.ts';

let service: DiscordService;
let provider: Provider;
let product: Product;
let owner: TestClient;
let organizationId: string;
let pluginId: string;
let agentId: string;
beforeAll(async () => {
  service = await startDiscordService();
  provider = await startProvider({ pieces: [] });
  product = await startProduct({
    providers: { openai: provider.openai },
    channelUrls: channelUrls({ discord: service.url }),
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
  service.failing.times = 0;
});

async function install({ botToken = service.token, publicKey = service.publicKey } = {}) {
  const { applicationId } = service;
  const settingsData = { applicationId, publicKey };
  const given = { chatbotId: agentId, type: 'discord' as const, settingsData, credentials: { botToken } };
  return (await owner.plugin.create(given)).plugin;
}

const told = () => service.sent.map(({ content }) => content);
const kept = async () => (await owner.plugin.listMessages({ id: pluginId })).messages;

test('an application is installed: its command is registered, Discord verifies its address, and removal forgets it', async () => {
  const { plugin } = await owner.plugin.get({ id: pluginId });
  expect(plugin).toMatchObject({
    connection: { accountName: 'Helper' },
    health: { state: 'healthy', error: null },
  });
  expect(JSON.stringify(plugin)).not.toContain(service.token);
  expect(service.endpoint).toBe(plugin.webhookUrl);
  expect(service.commands).toMatchObject([
    { name: 'ask', options: [{ name: 'question' }, { name: 'file' }] },
  ]);
  await owner.plugin.remove({ id: pluginId });
  expect(service.endpoint).toBeNull();
  expect(service.commands).toEqual([]);
});

test('a wrong token and another application’s key are reported in plain words', async () => {
  const { health } = await install({ botToken: 'wrong' });
  expect(health.error).toBe('Discord said: 401: Unauthorized');
  const { health: other } = await install({ publicKey: 'ab'.repeat(32) });
  expect(other.error).toBe('This token belongs to another application.');
});

test('a question is promised an answer at once and gets it, and the next one continues the conversation', async () => {
  const question = service.ask('When does the shop close?');
  expect(await service.deliver(question)).toEqual({ status: 200, type: 5 });
  await expect.poll(told).toHaveLength(1);
  expect(service.sent[0]).toMatchObject({
    token: question.token,
    isOriginal: true,
    mentions: { parse: [] },
    // Discord fetches none of the pages an answer links to.
    flags: 4,
  });
  expect(told()[0]).toContain('Until nine');
  await service.deliver(service.ask('And tomorrow?'));
  await expect.poll(told).toHaveLength(2);
  const states = async () => (await kept()).map(({ personName, state }) => [personName, state]);
  await expect.poll(states).toEqual([
    ['Ada', 'answered'],
    ['Ada', 'answered'],
  ]);
  expect(new Set((await kept()).map(({ conversationId }) => conversationId)).size).toBe(1);
});

test('a request that is forged, older than five minutes or not a command is refused, and a repeat is answered once', async () => {
  const question = service.ask('When does the shop close?');
  expect((await service.deliver(question, { isForged: true })).status).toBe(401);
  expect((await service.deliver(question, { age: 301 })).status).toBe(401);
  expect((await service.deliver(question, { age: -310 })).status).toBe(401);
  expect((await service.deliver({ ...question, type: 3 })).status).toBe(400);
  const unsigned = await fetch(service.endpoint ?? '', { method: 'POST', body: JSON.stringify(question) });
  expect(unsigned.status).toBe(401);
  expect(await kept()).toEqual([]);
  await service.deliver(question);
  // A replay is told that nothing will follow.
  expect(await service.deliver(question)).toEqual({ status: 200, type: 4 });
  await expect.poll(told).toHaveLength(1);
  expect(await kept()).toHaveLength(1);
});

test('a long answer is split into parts that Discord accepts, the first replacing the promise', async () => {
  const words = Array.from({ length: 800 }, (_, index) => `word${index}${index % 50 === 49 ? '\n\n' : ' '}`);
  provider.script = { pieces: words };
  await service.deliver(service.ask('Tell me everything'));
  await expect.poll(() => told().join(' ')).toContain('word799');
  expect(service.sent.map(({ isOriginal }) => isOriginal).indexOf(true)).toBe(0);
  expect(service.sent.filter(({ isOriginal }) => isOriginal)).toHaveLength(1);
  for (const text of told()) expect(text.length).toBeLessThanOrEqual(2000);
});

test('a table is drawn, and a link does not hide its address', async () => {
  provider.script = {
    pieces: [
      '| Day | Until |\n|---|---|\n| Monday | nine |\n\n@everyone [bank.example](https://evil.example/)',
    ],
  };
  await service.deliver(service.ask('When does the shop close?'));
  await expect.poll(told).toHaveLength(1);
  expect(told()[0]).toMatch(/```\nDay +\| Until/);
  expect(told()[0]).toContain('bank.example (<https://evil.example/>)');
});

test('a reference link shows its address in place, even when its definition is in another part', async () => {
  const [page, days] = ['https://shop.example/a', 'https://shop.example/d'];
  provider.script = {
    pieces: [
      `See [the **page**][1], [Days][] and [bank.example][1].\n\n${'word '.repeat(600)}\n\n[1]: ${page} "Page"\n[days]: <${days}>`,
    ],
  };
  await service.deliver(service.ask('When does the shop close?'));
  await expect.poll(told).toHaveLength(2);
  expect(told()[0]).toContain(`See [the **page**](${page}), [Days](${days}) and bank.example (<${page}>).`);
  expect(told().join('')).not.toContain(']:');
});

test('an answer after 15 minutes is not lost silently: members see why it was not delivered', async () => {
  await service.deliver(service.ask('When does the shop close?', {}, 901));
  await expect
    .poll(async () => (await kept())[0])
    .toMatchObject({ state: 'failed', error: 'Discord accepts an answer for 15 minutes only.' });
  expect(told()).toEqual([]);
});

test('a person who asks a paused agent is told at once that there is no answer, and nothing is stored', async () => {
  await owner.plugin.update({ id: pluginId, status: 'paused' });
  expect(await service.deliver(service.ask('Hello?'))).toEqual({ status: 200, type: 4 });
  expect(await kept()).toEqual([]);
});

test('a message that Discord cannot accept now is delivered later', async () => {
  service.failing = { status: 503, times: 3 };
  await service.deliver(service.ask('When does the shop close?'));
  await expect.poll(told, { timeout: 60_000 }).toHaveLength(1);
  await expect.poll(async () => (await kept())[0]?.state).toBe('answered');
});
