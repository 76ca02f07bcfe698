import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { channelUrls } from '../../../../test/channel-urls.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { startTelegramService, type TelegramService } from '../../../../test/stand-ins/telegram-service.ts';

let service: TelegramService;
let provider: Provider;
let product: Product;
let owner: TestClient;
let organizationId: string;
let agentId: string;
let pluginId: string;

beforeAll(async () => {
  service = await startTelegramService();
  provider = await startProvider({ pieces: ['From the agent.'] });
  product = await startProduct({
    providers: { openai: provider.openai },
    channelUrls: channelUrls({ telegram: service.url }),
  });
  owner = product.as('owner');
  organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await owner.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  const credentials = { botToken: service.token };
  pluginId = (
    await owner.plugin.create({ chatbotId: agentId, type: 'telegram', settingsData: {}, credentials })
  ).plugin.id;
  const { tool, operations } = await owner.tool.create({
    organizationId,
    agentId,
    kind: 'builtin',
    name: 'Basics',
  });
  await owner.tool.update({ id: tool.id, operations: operations.map(({ id }) => ({ id, enabled: true })) });
});
afterAll(async () => {
  await product.close();
  await provider.close();
  await service.close();
});

const told = () => service.sent.map(({ text }) => text);

test('an agent hands a chat over, a member answers in the channel under their name, and hands it back', async () => {
  const handOver = { name: 'handOver', arguments: { reason: 'Wants a refund' } };
  provider.script = {
    pieces: [],
    of: ({ messages }) =>
      messages.some(({ role }) => role === 'tool') ? { pieces: ['Somebody comes.'] } : { calls: [handOver] },
  };
  await service.deliver(service.message('Give me a person'));
  await expect.poll(() => told()[0] ?? '').toContain('Somebody comes.');
  const { conversations } = await owner.inbox.list({ organizationId, view: 'waiting' });
  expect(conversations).toMatchObject([
    { channel: 'telegram', handover: { by: 'agent', reason: 'Wants a refund' } },
  ]);
  const id = conversations[0]?.id ?? '';

  // The agent is silent, and messages sent meanwhile can be read.
  await service.deliver(service.message('Hello?'));
  await expect.poll(async () => (await owner.inbox.get({ id })).messages[0]?.text).toBe('Hello?');
  await Promise.all(['One.', 'Two.', 'Three.'].map((text) => owner.inbox.write({ id, text })));
  await expect.poll(told).toHaveLength(4);
  const { messages } = await owner.inbox.get({ id });
  const written = messages.toReversed().filter(({ role }) => role === 'operator');
  for (const [index, { text }] of written.entries()) expect(told()[index + 1]).toContain(text);
  for (const text of told().slice(1)) expect(text).toContain('owner (person):');
  // The agent's messages have no such mark, and say once that it is an AI.
  expect(told()[0]).toMatch(/^\{"markdown":"You are talking with an AI\./);
  expect(told()[0]).not.toContain('(person)');

  service.failing = { status: 500, times: 1 };
  await owner.inbox.write({ id, text: 'Four.' });
  await expect.poll(told, { timeout: 60_000 }).toHaveLength(5);

  const { uid } = (await product.sessionOf('owner')).user;
  await owner.user.updateProfile({ uid, name: 'Eve** [x](https://evil.example)' });
  await owner.inbox.write({ id, text: 'Five.' });
  await expect.poll(told).toHaveLength(6);
  expect(JSON.parse(told()[5] ?? '')).toEqual({
    markdown: String.raw`**Eve\*\* \[x\](https://evil.example) (person):** Five.`,
  });

  provider.script = { pieces: ['From the agent.'] };
  await owner.inbox.release({ id });
  await service.deliver(service.message('Thanks'));
  await expect.poll(told).toHaveLength(7);
  expect(told()[6]).toBe(JSON.stringify({ markdown: 'From the agent.' }));
});

test('a member sees that their message was not delivered because the plugin is paused or removed', async () => {
  service.sent = [];
  await service.deliver(service.message('Good evening'));
  await expect.poll(told).toHaveLength(1);
  const { messages: received } = await owner.plugin.listMessages({ id: pluginId });
  const id = received[0]?.conversationId ?? '';
  const errorOf = async (text: string) =>
    (await owner.inbox.get({ id })).messages.find((each) => each.text === text)?.error;

  await owner.plugin.update({ id: pluginId, status: 'paused' });
  await owner.inbox.write({ id, text: 'Paused?' });
  await expect.poll(() => errorOf('Paused?')).toContain('paused');
  await owner.plugin.update({ id: pluginId, status: 'active' });
  await owner.inbox.write({ id, text: 'Again.' });
  await expect.poll(told).toHaveLength(2);
  expect(await errorOf('Again.')).toBeNull();

  await owner.plugin.remove({ id: pluginId });
  await owner.inbox.write({ id, text: 'Anybody?' });
  await expect.poll(() => errorOf('Anybody?')).toContain('removed');
  expect(told()).toHaveLength(2);
});

test('messages and answers pending when an agent is moved are answered and delivered', async () => {
  const to = (await owner.organization.create({ name: 'Beta' })).organization.id;
  const { id } = (await owner.chatbot.create({ organizationId, name: 'Mover' })).chatbot;
  const credentials = { botToken: service.token };
  const { plugin } = await owner.plugin.create({
    chatbotId: id,
    type: 'telegram',
    settingsData: {},
    credentials,
  });
  provider.script = { pieces: ['Good day.'] };
  service.sent = [];
  const person = { id: 78, first_name: 'Bob' };
  await service.deliver(service.message('Hello', person));
  await expect.poll(told).toHaveLength(1);
  const { messages } = await owner.plugin.listMessages({ id: plugin.id });
  const conversation = messages[0]?.conversationId ?? '';

  service.failing = { status: 500, times: 1000 };
  await service.deliver(service.message('Are you there?', person));
  await expect.poll(() => service.failing.times).toBeLessThan(1000);
  await owner.inbox.write({ id: conversation, text: 'A person is.' });
  await owner.agentKeeping.transfer({ id, organizationId, toOrganizationId: to, name: 'Mover' });
  // An attempt on behalf of the old organization finds nothing any more.
  await delay(5000);
  service.failing.times = 0;
  await expect.poll(told).toHaveLength(3);
  expect(told().join()).toContain('A person is.');
});
