import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createApp, type App } from '../../app.ts';
import { createLog } from '../../log.ts';
import { settleInterrupted } from '../chat/interrupted.ts';
import { startOpenApiService, type OpenApiService } from '../../../../test/stand-ins/openapi-service.ts';
import { openBrowser } from '../../../../test/browser.ts';
import { eventually } from '../../../../test/payments.ts';
import { connect, startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { readLedger, requireSoundLedgers } from '../../../../test/ledger.ts';
import { buy, connectAccount, pack, sell } from '../../../../test/selling.ts';

let product: Product;
let provider: Provider;
let service: OpenApiService;
let ada: TestClient;
let organizationId: string;
/** Signed in with an email address: what they have paid for doesn't count against an allowance. */
let bob: TestClient;
let idToken: string;
let other: App;
beforeAll(async () => {
  service = await startOpenApiService();
  provider = await startProvider({ pieces: ['Yes.'] });
  product = await startProduct({
    ssrfAllowedHosts: [service.host],
    providers: { openai: provider.openai },
  });
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  await connectAccount(product, ada, organizationId);
  const browser = openBrowser(product);
  ({ idToken } = await browser.signIn('bob@example.com'));
  bob = browser.client;
  const { config } = product.app.deps;
  other = await createApp({ ...config, databaseUrl: product.databaseUrl }, createLog(config));
  await other.http.listen({ host: '127.0.0.1', port: 0 });
});
beforeEach(() => {
  provider.script = { pieces: ['Yes.'] };
});
afterAll(async () => {
  await other.close();
  await product.close();
  await provider.close();
  await service.close();
});

const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await product.app.deps.db.owner.query<Row>(sql, values)).rows;
const ledgerOf = (agentId: string) => readLedger(product, agentId);
const requireSound = () => requireSoundLedgers(product);

async function makeAgent() {
  const { chatbot } = await ada.chatbot.create({ organizationId, name: 'Helper' });
  return { organizationId, agentId: chatbot.id };
}

test('500 concurrent questions on 100 credits, over two servers, get exactly 100 answers', async () => {
  const key = await makeAgent();
  const offered = await sell(ada, key, pack(100));
  await buy(product, bob, offered.id);
  const url = `http://127.0.0.1:${(other.http.server.address() as AddressInfo).port}`;
  const there = connect({ baseUrl: url, token: () => idToken });
  const conversations = [];
  for (let i = 0; i < 20; i += 1)
    conversations.push((await bob.chat.create({ chatbotId: key.agentId })).conversation.id);
  const results: string[] = [];
  // Several conversations in parallel, with questions one at a time in each.
  await Promise.all(
    conversations.map(async (id, index) => {
      const client = index % 2 ? there : bob;
      for (let i = 0; i < 25; i += 1)
        results.push(
          await client.chat.send({ id, text: `Is it ${i}?` }).then(
            ({ answer }) => answer.state,
            (error: { code: string }) => error.code,
          ),
        );
    }),
  );
  expect(
    Object.fromEntries(
      Map.groupBy(results, (result) => result)
        .entries()
        .map(([state, of]) => [state, of.length]),
    ),
  ).toEqual({
    complete: 100,
    'payment/required': 400,
  });
  expect(await ledgerOf(key.agentId)).toEqual({ issued: -100, left: 0, held: 0, spent: 100 });
  await requireSound();
});

test('a failure, a stop before the first word or a non-answer costs nothing; tool calls cost their price', async () => {
  const key = await makeAgent();
  const { id: toolId } = (await ada.tool.create({ ...key, name: 'Shop' })).tool;
  await ada.tool.update({ id: toolId, schema: { url: `${service.url}/openapi.json` } });
  await ada.tool.update({ id: toolId, operations: [{ id: 'listOrders', enabled: true, policy: 'allow' }] });
  const offered = await sell(ada, key, { ...pack(20), creditsAMessage: 2, creditsAToolCall: 3 });
  await buy(product, bob, offered.id);
  const { id } = (await bob.chat.create({ chatbotId: key.agentId })).conversation;

  provider.script = { pieces: [], status: 401 };
  expect((await bob.chat.send({ id, text: 'Well?' })).answer.state).toBe('failed');
  provider.script = { pieces: ['Late.'], firstPieceAfterMs: 2000 };
  const stopped = bob.chat.send({ id, text: 'Now?' });
  await eventually(async () => (await ledgerOf(key.agentId))['held'] === 20);
  await bob.chat.stop({ id });
  await stopped;
  expect(await ledgerOf(key.agentId)).toEqual({ issued: -20, left: 20, held: 0 });

  provider.script = { pieces: ['Yes.'] };
  await bob.chat.send({ id, text: 'Is it?' });
  expect(await ledgerOf(key.agentId)).toMatchObject({ left: 18, held: 0, spent: 2 });

  const list = { name: 'listOrders', arguments: { state: 'open' } };
  const calling = (times: number) => {
    provider.script = {
      pieces: [],
      of: ({ messages }) => {
        const last = messages.findLastIndex(({ role }) => role === 'user');
        const done = messages.slice(last).filter(({ role }) => role === 'assistant').length;
        return done < times ? { pieces: [], calls: [list] } : { pieces: ['All done.'] };
      },
    };
  };
  calling(2);
  service.requests.length = 0;
  await bob.chat.send({ id, text: 'What is open?' });
  const made = service.requests.length;
  expect(made).toBeGreaterThan(0);
  expect(await ledgerOf(key.agentId)).toMatchObject({ left: 18 - 2 - 3 * made, held: 0 });
  await requireSound();
});

test('no more calls are made than are paid for', async () => {
  const key = await makeAgent();
  const { id: toolId } = (await ada.tool.create({ ...key, name: 'Shop' })).tool;
  await ada.tool.update({ id: toolId, schema: { url: `${service.url}/openapi.json` } });
  await ada.tool.update({ id: toolId, operations: [{ id: 'listOrders', enabled: true, policy: 'allow' }] });
  const offered = await sell(ada, key, { ...pack(4), creditsAMessage: 1, creditsAToolCall: 2 });
  await buy(product, bob, offered.id);
  const { id } = (await bob.chat.create({ chatbotId: key.agentId })).conversation;
  let step = 0;
  provider.script = {
    pieces: [],
    of: () => {
      step += 1;
      const calls = [{ name: 'listOrders', arguments: { state: 'open', page: step } }];
      return step <= 5 ? { pieces: [], calls } : { pieces: ['All done.'] };
    },
  };
  service.requests.length = 0;
  await bob.chat.send({ id, text: 'What is open?' });
  expect(service.requests.length).toBeLessThanOrEqual(1);
  expect((await ledgerOf(key.agentId))['left']).toBe(3 - 2 * service.requests.length);
  await requireSound();
});

test('an answer awaiting confirmation is paid for, its call when made; without credits it keeps waiting', async () => {
  const key = await makeAgent();
  const { id: toolId } = (await ada.tool.create({ ...key, name: 'Shop' })).tool;
  await ada.tool.update({ id: toolId, schema: { url: `${service.url}/openapi.json` } });
  await ada.tool.update({ id: toolId, operations: [{ id: 'createOrder', enabled: true, policy: 'ask' }] });
  const offered = await sell(ada, key, { ...pack(8), creditsAMessage: 2, creditsAToolCall: 3 });
  await buy(product, bob, offered.id);
  const order = (item: string) => {
    provider.script = {
      pieces: [],
      of: ({ messages }) => {
        const last = messages.findLastIndex(({ role }) => role === 'user');
        const isDone = messages.slice(last).some(({ role }) => role === 'assistant');
        const calls = [{ name: 'createOrder', arguments: { body: { item, count: 2 } } }];
        return isDone ? { pieces: ['All done.'] } : { pieces: [], calls };
      },
    };
  };
  const ask = async (item: string) => {
    order(item);
    const { id } = (await bob.chat.create({ chatbotId: key.agentId })).conversation;
    const { answer } = await bob.chat.send({ id, text: `Order ${item}.` });
    expect(answer.state).toBe('waiting');
    const callId = answer.toolCalls?.[0]?.id ?? '';
    return () => bob.chat.decideToolCall({ id, messageId: answer.id, callId, decision: 'allow' });
  };
  const allow = await ask('Lamp');
  expect(await ledgerOf(key.agentId)).toMatchObject({ left: 6, held: 0, spent: 2 });
  const allowLater = await ask('Desk');
  provider.script = { pieces: ['Yes.'] };
  await bob.chat.create({ chatbotId: key.agentId, text: 'Is it?' });
  await eventually(async () => (await ledgerOf(key.agentId))['spent'] === 6);
  expect(await ledgerOf(key.agentId)).toMatchObject({ left: 2, held: 0 });
  service.requests.length = 0;
  await expect(allowLater()).rejects.toMatchObject({ status: 402, code: 'payment/required' });
  expect(service.requests).toEqual([]);
  await buy(product, bob, offered.id);
  order('Desk');
  await allowLater();
  order('Lamp');
  await allow();
  expect(service.requests).toHaveLength(2);
  expect(await ledgerOf(key.agentId)).toMatchObject({ issued: -16, held: 0, spent: 6 + 2 * 3 });
  await requireSound();
});

test('credits held by a dead process are returned once, and not spent by its late output', async () => {
  const key = await makeAgent();
  const offered = await sell(ada, key, pack(5));
  await buy(product, bob, offered.id);
  const { id } = (await bob.chat.create({ chatbotId: key.agentId })).conversation;
  provider.script = { pieces: ['Late.'], firstPieceAfterMs: 800 };
  const sent = bob.chat.send({ id, text: 'Now?' });
  await eventually(async () => (await ledgerOf(key.agentId))['held'] === 1);
  await query(`update message set runner = 1 where conversation_id = $1 and runner is not null`, [id]);
  expect(await settleInterrupted(product.app.deps.db.owner)).toBe(1);
  expect(await ledgerOf(key.agentId)).toEqual({ issued: -5, left: 5, held: 0 });
  await sent;
  expect(await ledgerOf(key.agentId)).toEqual({ issued: -5, left: 5, held: 0 });
  await requireSound();
});

test('the database itself refuses entries that do not sum to zero, and negative balances', async () => {
  const [row] = await query<{ id: string }>('select id from entitlement limit 1');
  await expect(
    query(
      `insert into ledger_entry (transaction_id, organization_id, entitlement_id, account, amount, reason)
       values (gen_random_uuid(), $1, $2, 'left', 1, 'grant')`,
      [organizationId, row?.id],
    ),
  ).rejects.toThrow(/come to nothing/);
  await expect(query('update entitlement set credits_left = -1 where id = $1', [row?.id])).rejects.toThrow(
    /not_negative/,
  );
});
