import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { channelUrls } from '../../../../test/channel-urls.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { makeTaughtAgent } from '../../../../test/taught-agent.ts';
import { startWhatsAppService, type WhatsAppService } from '../../../../test/stand-ins/whatsapp-service.ts';

let service: WhatsAppService;
let provider: Provider;
let product: Product;
let owner: TestClient;
let organizationId: string;
let pluginId: string;
let agentId: string;
beforeAll(async () => {
  service = await startWhatsAppService();
  provider = await startProvider({ pieces: [] });
  product = await startProduct({
    providers: { openai: provider.openai },
    channelUrls: channelUrls({ whatsapp: service.url }),
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

async function install(accessToken = service.token) {
  const { plugin } = await owner.plugin.create({
    chatbotId: agentId,
    type: 'whatsapp',
    settingsData: { phoneNumberId: service.phoneNumberId },
    credentials: { accessToken, appSecret: service.appSecret },
  });
  service.webhookUrl = plugin.webhookUrl ?? '';
  return plugin;
}

const told = () => service.sent.map(({ body }) => body);
const kept = async () => (await owner.plugin.listMessages({ id: pluginId })).messages;

test('a number is shown by its name, and Meta is verified by the token that the member gave it', async () => {
  const { plugin } = await owner.plugin.get({ id: pluginId });
  expect(plugin).toMatchObject({
    connection: { accountName: 'Acme +1 555-0100' },
    health: { state: 'healthy' },
  });
  expect(JSON.stringify(plugin)).not.toMatch(/EAA|0123456789abcdef/);
  expect(plugin.verifyToken).toMatch(/.{20,}/);
  const answer = await service.verify(plugin.verifyToken ?? '');
  expect([answer.status, await answer.text()]).toEqual([200, '1158201444']);
  expect((await service.verify('guessed')).status).toBe(401);
  expect((await service.verify('')).status).toBe(401);
  expect((await install('wrong')).health.error).toBe('WhatsApp said: Invalid OAuth access token.');
});

test('several messages in one webhook are answered in order, each once, and statuses are ignored', async () => {
  const messages = [service.message('When does the shop close?'), service.message('And tomorrow?')];
  const statuses = [service.deliver(messages), service.deliver(messages), service.deliver(messages)];
  expect(await Promise.all(statuses)).toEqual([200, 200, 200]);
  const metadata = { phone_number_id: service.phoneNumberId };
  const value = { metadata, statuses: [{ id: 'wamid.out1', status: 'delivered' }] };
  expect(await service.post({ entry: [{ changes: [{ value }] }] })).toBe(200);
  await expect.poll(told).toHaveLength(2);
  expect(service.sent[0]).toMatchObject({ to: '15550177' });
  expect(told()[0]).toContain('Until nine');
  expect((await kept()).map(({ personName, text }) => [personName, text])).toEqual([
    ['Ada', 'And tomorrow?'],
    ['Ada', 'When does the shop close?'],
  ]);
  expect(service.read).toContain(messages[0]?.id);
});

test('a message that is forged, for another number or older than a day is not stored', async () => {
  const message = service.message('Hello?');
  expect(await service.deliver([message], { secret: 'forged' })).toBe(401);
  const unsigned = await fetch(service.webhookUrl, { method: 'POST', body: JSON.stringify({ entry: [] }) });
  expect(unsigned.status).toBe(401);
  expect(await service.deliver([message], { phoneNumberId: '1' })).toBe(200);
  const old = String(Math.floor(Date.now() / 1000) - 24 * 3600 - 60);
  expect(await service.deliver([service.message('Long ago', { timestamp: old })])).toBe(200);
  expect(await kept()).toEqual([]);
});

test('an answer is formatted for WhatsApp, with addresses unchanged', async () => {
  provider.script = {
    pieces: [
      '## Hours\n\n- **Nine**, ~~ten~~[^a]\n\n[The page](https://shop.example/a), help@shop.example\n\n[d]: https://shop.example/d\n\n[The *days*][d], [D], [https://bank.example][d]\n\n[^a]: Not *today*.',
    ],
  };
  await service.deliver([service.message('When does the shop close?')]);
  await expect.poll(told).toHaveLength(1);
  expect(told()[0]).toContain(
    '*Hours*\n\n• *Nine*, ~ten~[a]\n\nThe page (https://shop.example/a), help@shop.example\n\nThe _days_ (https://shop.example/d), D (https://shop.example/d), https://bank.example (https://shop.example/d)\n\n[a] Not _today_.',
  );
});

test('members are told in plain words that the 24 hours are over, and what can wait is delivered later', async () => {
  service.failing = { code: 131_056, times: 1 };
  await service.deliver([service.message('When does the shop close?')]);
  await expect.poll(told, { timeout: 60_000 }).toHaveLength(1);
  service.failing = { code: 131_047, times: 1 };
  await service.deliver([service.message('And tomorrow?')]);
  await expect
    .poll(async () => (await kept())[0])
    .toMatchObject({
      state: 'failed',
      error: "WhatsApp accepts an answer only within 24 hours of the person's last message.",
    });
});

test('a long answer is split into parts that WhatsApp accepts', async () => {
  const words = Array.from({ length: 1500 }, (_, index) => `word${index}${index % 50 === 49 ? '\n\n' : ' '}`);
  provider.script = { pieces: words };
  await service.deliver([service.message('Tell me everything')]);
  await expect.poll(() => told().join(' ')).toContain('word1499');
  expect(service.sent.length).toBeGreaterThan(2);
  for (const text of told()) expect(text.length).toBeLessThanOrEqual(4096);
});
