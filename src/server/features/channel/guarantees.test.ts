import type { AddressInfo } from 'node:net';
import { CHANNEL_WEBHOOK_MAX_BYTES } from '../../../contract/limits.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { registerInBrowser } from '../../../../test/browser-client.ts';
import { channelUrls } from '../../../../test/channel-urls.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts';
import { administer } from '../../../../test/database-server.ts';
import { Server } from '../../../../test/e2e/server.ts';
import { startOpenApiService, type OpenApiService } from '../../../../test/stand-ins/openapi-service.ts';
import { connect, startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider, type ProviderRequest } from '../../../../test/stand-ins/provider.ts';
import { startTelegramService, type TelegramService } from '../../../../test/stand-ins/telegram-service.ts';
import { createApp, type App } from '../../app.ts';
import { createLog } from '../../log.ts';

/** What holds for every channel, demonstrated with Telegram. */

let service: TelegramService;
let shop: OpenApiService;
let provider: Provider;
let product: Product;
let other: App;
let otherUrl: string;
let owner: TestClient;
let organizationId: string;
let chatbotId: string;
let id: string;

beforeAll(async () => {
  service = await startTelegramService();
  shop = await startOpenApiService();
  provider = await startProvider({ pieces: ['Yes.'] });
  product = await startProduct({
    providers: { openai: provider.openai },
    channelUrls: channelUrls({ telegram: service.url }),
    ssrfAllowedHosts: [shop.host],
  });
  const { config } = product.app.deps;
  other = await createApp({ ...config, databaseUrl: product.databaseUrl }, createLog(config));
  await other.http.listen({ host: '127.0.0.1', port: 0 });
  otherUrl = `http://127.0.0.1:${(other.http.server.address() as AddressInfo).port}`;
  owner = product.as('owner');
  organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
});
afterAll(async () => {
  await other.close();
  await product.close();
  await Promise.all([provider, shop, service].map((each) => each.close()));
});
beforeEach(async () => {
  provider.script = { pieces: ['Yes.'] };
  chatbotId = (await owner.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  id = (await install(owner, chatbotId)).id;
  service.sent = [];
  shop.requests.length = 0;
});

const install = async (client: TestClient, agentId: string) =>
  (
    await client.plugin.create({
      chatbotId: agentId,
      type: 'telegram',
      settingsData: {},
      credentials: { botToken: service.token },
    })
  ).plugin;

const told = () => service.sent.map(({ text }) => text);
const kept = async () => (await owner.plugin.listMessages({ id })).messages;

/** The model repeats the last number it was asked about. */
function counting(): void {
  provider.script = {
    pieces: [],
    of: ({ messages }: ProviderRequest) => {
      const question = JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content);
      return { pieces: [`Number ${/question (\d+)/.exec(question)?.[1] ?? '?'}.`] };
    },
  };
}

test('ten concurrent messages from one person, sent to two processes, are answered in order, each once', async () => {
  counting();
  const here = service.webhook;
  const updates = Array.from({ length: 10 }, (_, index) => service.message(`question ${index}`));
  const { pathname } = new URL(here?.url ?? '');
  const elsewhere = (update: object) =>
    fetch(otherUrl + pathname, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-telegram-bot-api-secret-token': here?.secret ?? '',
      },
      body: JSON.stringify(update),
    }).then(({ status }) => status);
  // Each reaches both, as when a service isn't acknowledged in time.
  const statuses = await Promise.all(
    updates.flatMap((update) => [service.deliver(update), elsewhere(update)]),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  await expect.poll(told).toHaveLength(10);
  const order = (await kept()).toReversed().map(({ text }) => text.replace('question ', 'Number ') + '.');
  expect(new Set(order).size).toBe(10);
  expect(told().map((text) => /Number \d\./.exec(text)?.[0])).toEqual(order);
  expect(new Set((await kept()).map(({ conversationId }) => conversationId)).size).toBe(1);
});

async function giveShop(client = owner, to = { organizationId, agentId: chatbotId }): Promise<void> {
  const toolId = (await client.tool.create({ ...to, name: 'Shop' })).tool.id;
  await client.tool.update({
    id: toolId,
    schema: { url: `${shop.url}/openapi.json` },
    authentication: { type: 'bearer' },
    secret: 'canary-bearer-secret',
  });
  await client.tool.update({ id: toolId, operations: [{ id: 'createOrder', enabled: true }] });
  const call = { name: 'createOrder', arguments: { body: { item: 'Lamp', count: 2 } } };
  provider.script = {
    pieces: [],
    of: ({ messages }: ProviderRequest) => {
      const last = messages.at(-1);
      const isOrder = last?.role === 'user' && JSON.stringify(last.content).includes('Order');
      return isOrder ? { pieces: ['I order them.'], calls: [call] } : { pieces: ['All done.'] };
    },
  };
}

test('an action is confirmed in plain words, and performed only on a yes', async () => {
  await giveShop();
  await service.deliver(service.message('Order two lamps.'));
  await expect.poll(told).toHaveLength(1);
  expect(told()[0]).toMatch(/Shop[^]*Lamp[^]*yes[^]*no/);
  expect(shop.requests).toHaveLength(0);
  await service.deliver(service.message('Yes!'));
  await expect.poll(told).toHaveLength(2);
  expect(told()[1]).toContain('All done.');
  expect(shop.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /orders']);
  // The same word again is an ordinary message.
  await service.deliver(service.message('yes'));
  await expect.poll(told).toHaveLength(3);
  expect(shop.requests).toHaveLength(1);
});

test('text already read before a yes is not sent again when the rest is delivered on a retry', async () => {
  await giveShop();
  await service.deliver(service.message('Order two lamps.'));
  await expect.poll(told).toHaveLength(1);
  expect(told()[0]).toContain('I order them.');
  service.failing = { status: 500, times: 1 };
  await service.deliver(service.message('yes'));
  await expect.poll(told).toHaveLength(2);
  expect(told()[1]).toContain('All done.');
  expect(told()[1]).not.toContain('I order them.');
  expect(shop.requests).toHaveLength(1);
});

test('a yes to a question asked too long ago is an ordinary message', async () => {
  await giveShop();
  await service.deliver(service.message('Order two lamps.'));
  await expect.poll(told).toHaveLength(1);
  const { owner: pool } = product.app.deps.db;
  await pool.query(`update tool_call set created_at = created_at - interval '1 year'`);
  await service.deliver(service.message('yes'));
  await expect.poll(told).toHaveLength(2);
  expect(told()[1]).toContain('All done.');
  expect(shop.requests).toHaveLength(0);
});

test('a no or any other message cancels the action', async () => {
  await giveShop();
  for (const word of ['no', 'What would it cost?']) {
    const before = told().length;
    await service.deliver(service.message('Order two lamps.'));
    await expect.poll(told).toHaveLength(before + 1);
    await service.deliver(service.message(word));
    await expect.poll(told).toHaveLength(before + 2);
  }
  expect(shop.requests).toHaveLength(0);
});

test("a message to a stranger's plugin, or with another plugin's secret, is rejected", async () => {
  const first = service.webhook;
  const elsewhere = product.as('stranger');
  const theirs = (await elsewhere.organization.create({ name: 'Beta' })).organization.id;
  const their = (await elsewhere.chatbot.create({ organizationId: theirs, name: 'Theirs' })).chatbot.id;
  const plugin = await install(elsewhere, their);
  expect(await service.deliver(service.message('Hello?'), { secret: first?.secret ?? '' })).toBe(401);
  expect(await service.deliver(service.message('Hello?'))).toBe(200);
  await expect.poll(told).toHaveLength(1);
  expect(await kept()).toEqual([]);
  await expect(owner.plugin.listMessages({ id: plugin.id })).rejects.toMatchObject({ status: 404 });
  await expect(elsewhere.plugin.check({ id })).rejects.toMatchObject({ status: 404 });
  for (const made of ['plg_01h455vb4pex5vsknk084sn02q', 'nonsense'])
    expect((await fetch(`${product.url}/v1/plugin/${made}/webhook`, { method: 'POST' })).status).toBe(404);
});

test('the texts and names that people send are stored as plain text, and truncated', async () => {
  const from = { id: 77, first_name: `Ada\r\nBcc: eve@evil.example\u0000\ud800 ${'x'.repeat(300)}` };
  const text = `<script>alert(1)</script> \u0000\udc00 =cmd|' /C calc'!A0 ${'y'.repeat(9000)}`;
  expect(await service.deliver(service.message(text, from))).toBe(200);
  await expect.poll(told).toHaveLength(1);
  const [message] = await kept();
  expect(message?.personName).toMatch(/^Ada Bcc: eve@evil\.example\ufffd x+$/);
  expect(message?.personName.length).toBeLessThanOrEqual(100);
  expect(message?.text).toMatch(/^<script>alert\(1\)<\/script> \ufffd =cmd/);
  for (const nothing of [' ', '\u0000']) expect(await service.deliver(service.message(nothing))).toBe(200);
  expect(await kept()).toHaveLength(1);
});

test('a signed request that is not a message is refused or ignored', async () => {
  const { url = '', secret = '' } = service.webhook ?? {};
  const headers = { 'x-telegram-bot-api-secret-token': secret, 'content-type': 'application/json' };
  for (const body of ['', '{', '[]', 'null', '1', '{"update_id":1}', '{"update_id":1,"message":null}']) {
    const { status } = await fetch(url, { method: 'POST', headers, body });
    expect([body, status < 500]).toEqual([body, true]);
  }
  const large = await fetch(url, {
    method: 'POST',
    headers,
    body: 'x'.repeat(CHANNEL_WEBHOOK_MAX_BYTES + 1),
  });
  expect(large.status).toBe(413);
  expect(await kept()).toEqual([]);
});

test('an agent takes its channel to another organization, and its people continue there', async () => {
  await service.deliver(service.message('Hello?'));
  await expect.poll(told).toHaveLength(1);
  await expect.poll(async () => (await kept())[0]?.state).toBe('answered');
  const beta = (await owner.organization.create({ name: 'Beta' })).organization.id;
  await owner.agentKeeping.transfer({
    id: chatbotId,
    organizationId,
    toOrganizationId: beta,
    name: 'Helper',
  });
  const { rows } = await product.app.deps.db.owner.query(
    `select organization_id from plugin where id = $1 union all
     select organization_id from channel_thread where plugin_id = $1 union all
     select organization_id from channel_message where plugin_id = $1`,
    [id],
  );
  expect(rows).toEqual(Array.from({ length: 3 }, () => ({ organization_id: beta })));
  expect(await service.deliver(service.message('Still there?'))).toBe(200);
  await expect.poll(told).toHaveLength(2);
  expect(new Set((await kept()).map(({ conversationId }) => conversationId)).size).toBe(1);
});

test('the channel of a deleted agent accepts nothing, and that of a purged one leaves nothing', async () => {
  await service.deliver(service.message('Hello?'));
  await expect.poll(told).toHaveLength(1);
  await owner.chatbot.remove({ id: chatbotId, organizationId });
  expect(await service.deliver(service.message('Hello?'))).toBe(404);
  const { owner: pool } = product.app.deps.db;
  await pool.query('delete from agent where id = $1', [chatbotId]);
  for (const table of ['channel_thread', 'channel_message'])
    expect((await pool.query(`select 1 from ${table} where plugin_id = $1`, [id])).rows).toEqual([]);
});

/** As if the ten seconds had passed within which a process shows that it is alive. */
async function letDeadBeKnown({ url }: TestDatabase): Promise<void> {
  await administer(
    url,
    `update pgboss.job set heartbeat_on = heartbeat_on - interval '10 seconds' where state = 'active'`,
  );
}

/** A separate server that can be killed, with an agent in the channel. */
async function startKillable() {
  const database = await createTestDatabase();
  const server = await Server.start({
    DATABASE_URL: database.url,
    TELEGRAM_API_URL: service.url,
    SSRF_ALLOWED_HOSTS: shop.host,
    ...provider.environment,
  });
  const token = (await registerInBrowser(server.url, 'ada')).token() ?? '';
  const api = connect({ baseUrl: server.url, token: () => token });
  const own = (await api.organization.create({ name: 'Ada and company' })).organization.id;
  const agentId = (await api.chatbot.create({ organizationId: own, name: 'Helper' })).chatbot.id;
  const { id: pluginId } = await install(api, agentId);
  const killed = async () => {
    await server.kill('SIGKILL');
    await letDeadBeKnown(database);
  };
  const remove = async () => {
    await server.remove();
    await database.drop();
  };
  return { server, api, own, agentId, pluginId, killed, remove };
}

test('a kill in the middle of an answer loses no message and asks none twice', async () => {
  counting();
  const { server, api, pluginId, killed, remove } = await startKillable();
  try {
    const questions = provider.requests.length;
    provider.script = { pieces: ['Slow.'], firstPieceAfterMs: 60_000 };
    expect(await service.deliver(service.message('question 1'))).toBe(200);
    expect(await service.deliver(service.message('question 2'))).toBe(200);
    await expect.poll(() => provider.requests.length).toBe(questions + 1);
    await killed();
    counting();
    await server.startAgain();
    await expect.poll(told, { timeout: 60_000 }).toHaveLength(2);
    expect(told()[1]).toContain('Number 2.');
    expect(provider.requests.length).toBe(questions + 2);
    const { messages } = await api.plugin.listMessages({ id: pluginId });
    expect(messages.map(({ text }) => text)).toEqual(['question 2', 'question 1']);
    expect(new Set(messages.map(({ conversationId }) => conversationId)).size).toBe(1);
  } finally {
    await remove();
  }
});

test('after a kill, a yes already given is not taken for another question', async () => {
  const { server, api, own, agentId, killed, remove } = await startKillable();
  try {
    await giveShop(api, { organizationId: own, agentId });
    await service.deliver(service.message('Order two lamps.'));
    await expect.poll(told).toHaveLength(1);
    const asked = provider.requests.length;
    provider.script = { pieces: ['All done.'], firstPieceAfterMs: 60_000 };
    await service.deliver(service.message('yes'));
    await expect.poll(() => provider.requests.length).toBe(asked + 1);
    await killed();
    provider.script = { pieces: ['What do you mean?'] };
    await server.startAgain();
    await expect.poll(told, { timeout: 60_000 }).toHaveLength(2);
    expect(told()[1]).toContain('restarted');
    expect(provider.requests.length).toBe(asked + 1);
    expect(shop.requests).toHaveLength(1);
  } finally {
    await remove();
  }
});
