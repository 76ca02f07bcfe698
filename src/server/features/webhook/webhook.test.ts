import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { WEBHOOK_TIMEOUT_MS } from '../../../contract/limits.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider, type ProviderRequest } from '../../../../test/stand-ins/provider.ts';
import { makeTaughtAgent } from '../../../../test/taught-agent.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../../../test/stand-ins/webhook-receiver.ts';
import { deliverWebhook } from './deliver.job.ts';
import { noticeHappenings } from './notice.ts';
import { findDelivery, insertDeliveries, lockActive, noteTry } from './store.ts';

let receiver: WebhookReceiver;
let provider: Provider;
let product: Product;
let owner: TestClient;
let organizationId: string;
let chatbotId: string;
let pluginId: string;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  provider = await startProvider({ pieces: ['Until nine.'] });
  product = await startProduct({ providers: { openai: provider.openai }, ssrfAllowedHosts: [receiver.host] });
  owner = product.as('owner');
  organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
});
afterAll(async () => {
  await product.close();
  await provider.close();
  await receiver.close();
});
beforeEach(async () => {
  chatbotId = (await makeTaughtAgent(owner, organizationId, 'The shop closes at nine in the evening.')).id;
  pluginId = (await install()).id;
  receiver.secret = (await owner.webhook.secret({ id: pluginId })).secret;
  receiver.received = [];
  receiver.forged = 0;
  receiver.answers = [];
  provider.script = { pieces: ['Until nine.'] };
});

const install = async (settings: object = {}) =>
  (
    await owner.plugin.create({
      chatbotId,
      type: 'webhook',
      settingsData: { url: receiver.url, events: ['answer.completed', 'feedback.given'], ...settings },
    })
  ).plugin;

async function ask(text = 'When does the shop close?') {
  const { conversation } = await owner.chat.create({ chatbotId });
  const { answer } = await owner.chat.send({ id: conversation.id, text });
  return { conversationId: conversation.id, answer };
}

const types = () => receiver.received.map(({ type }) => type);
const newest = async () => (await owner.webhook.listDeliveries({ id: pluginId })).deliveries[0];

test('each answer is delivered once, signed as in Standard Webhooks', async () => {
  const { conversationId, answer } = await ask();
  await expect.poll(types).toEqual(['answer.completed']);
  expect(receiver.received[0]?.data).toMatchObject({
    agentId: chatbotId,
    conversationId,
    question: 'When does the shop close?',
    answer: { id: answer.id, text: answer.text, state: 'complete' },
  });
  await expect.poll(async () => (await newest())?.state).toBe('delivered');
  expect(await newest()).toMatchObject({
    id: receiver.received[0]?.id,
    state: 'delivered',
    status: 200,
    attempts: 1,
  });
  // Checking again, however often at once, finds nothing new.
  await Promise.all(Array.from({ length: 5 }, () => noticeHappenings(product.app.deps)));
  expect((await owner.webhook.listDeliveries({ id: pluginId })).deliveries).toHaveLength(1);
  expect(receiver.forged).toBe(0);
});

test('a pending delivery is still made when its agent moves to another organization', async () => {
  const to = (await owner.organization.create({ name: 'Beta' })).organization.id;
  receiver.answers = [500];
  await ask();
  await expect.poll(async () => (await newest())?.attempts).toBe(1);
  await owner.agentKeeping.transfer({
    id: chatbotId,
    organizationId,
    toOrganizationId: to,
    name: (await owner.chatbot.get({ id: chatbotId, organizationId })).chatbot.name,
  });
  await expect.poll(async () => (await newest())?.state).toBe('delivered');
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
});

test('feedback is delivered, and again when it changes', async () => {
  const { conversationId, answer } = await ask();
  const rate = (rating: 'up' | 'down') =>
    owner.answer.rate({ id: conversationId, messageId: answer.id, rating });
  await rate('up');
  await expect.poll(types).toContain('feedback.given');
  await rate('down');
  await expect.poll(() => receiver.received.filter(({ type }) => type === 'feedback.given').length).toBe(2);
  expect(receiver.received.at(-1)?.data).toMatchObject({ messageId: answer.id, rating: 'down' });
});

test('contact details are delivered once, as filled in', async () => {
  await owner.plugin.update({
    id: pluginId,
    settingsData: { url: receiver.url, events: ['lead.collected'] },
  });
  const { tool } = await owner.tool.create({
    organizationId,
    agentId: chatbotId,
    kind: 'builtin',
    name: 'Built-in',
  });
  const form = [{ key: 'email', label: 'Your e-mail', kind: 'email' as const, required: true, choices: [] }];
  await owner.tool.update({ id: tool.id, form, operations: [{ id: 'collectLead', enabled: true }] });
  provider.script = {
    pieces: [],
    of: ({ messages }: ProviderRequest) =>
      messages.at(-1)?.role === 'user'
        ? { pieces: [], calls: [{ name: 'collectLead', arguments: {} }] }
        : { pieces: ['Thank you.'] },
  };
  const { conversationId, answer } = await ask('Please write to me.');
  const call = { id: conversationId, messageId: answer.id, callId: answer.toolCalls[0]?.id ?? '' };
  await owner.chat.submitForm({ ...call, values: { email: 'grace@example.com' } });
  await expect.poll(types).toEqual(['ping', 'lead.collected']);
  const values = [{ key: 'email', label: 'Your e-mail', value: 'grace@example.com' }];
  expect(receiver.received.at(-1)?.data).toMatchObject({ agentId: chatbotId, conversationId, values });
});

test('unsubscribed events, earlier events and members’ trial chats are not delivered', async () => {
  await owner.webhook.listDeliveries({ id: pluginId });
  await owner.plugin.update({
    id: pluginId,
    settingsData: { url: receiver.url, events: ['conversation.started'] },
  });
  await ask();
  const { conversation } = await owner.chat.create({ chatbotId, version: 'draft' });
  await owner.chat.send({ id: conversation.id, text: 'Hello?' });
  await expect.poll(types).toContain('conversation.started');
  await noticeHappenings(product.app.deps);
  expect(types().filter((type) => type !== 'ping')).toEqual(['conversation.started']);
  await expect.poll(types).toContain('ping');
});

test('nothing is delivered for a temporary conversation', async () => {
  const events = ['conversation.started', 'answer.completed', 'feedback.given'] as const;
  await owner.plugin.update({ id: pluginId, settingsData: { url: receiver.url, events: [...events] } });
  const { id } = (await owner.chat.create({ chatbotId, temporary: true })).conversation;
  const { answer } = await owner.chat.send({ id, text: 'Between us?' });
  await owner.answer.rate({ id, messageId: answer.id, rating: 'down', comment: 'Not so.' });
  const { conversationId } = await ask();
  await expect.poll(types).toContain('answer.completed');
  await noticeHappenings(product.app.deps);
  const told = receiver.received.filter(({ type }) => type !== 'ping').map(({ data }) => data);
  expect(told).toMatchObject([{ conversationId }, { conversationId }]);
});

test('a failed delivery is retried with the same id, and the failure is visible', async () => {
  receiver.answers = [500, 302];
  await ask();
  await expect.poll(async () => (await newest())?.attempts).toBeGreaterThan(0);
  const rests = new Set<number>();
  const untilDelivered = async (): Promise<string | undefined> => {
    const { rows } = await product.app.deps.db.owner.query<{ rest: number }>(
      `with waiting as (select id, extract(epoch from start_after - now())::float as rest from pgboss.job
                         where name = 'webhook.deliver' and state = 'retry' and start_after > now())
       update pgboss.job set start_after = now() from waiting where job.id = waiting.id returning rest`,
    );
    for (const { rest } of rows) rests.add(rest);
    return (await newest())?.state;
  };
  // It backs off for seconds each time; nobody has to wait for that here.
  await expect.poll(untilDelivered).toBe('delivered');
  expect(rests.size).toBe(2);
  expect(await newest()).toMatchObject({ attempts: 3, status: 200, error: null });
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
  expect((await owner.plugin.get({ id: pluginId })).plugin.health.state).toBe('healthy');
});

test('a delivery result and a concurrent search for events do not undo each other', async () => {
  await ask();
  await expect.poll(async () => (await newest())?.state).toBe('delivered');
  const { id = '' } = (await newest()) ?? {};
  const { db } = product.app.deps;
  const within = { organizationId };
  const found = await db.in(within, (tx) => findDelivery(tx, { organizationId, id }));
  const { delivery } = found ?? expect.fail('There is no such delivery.');
  const noting = await db.in(within, async (tx) => {
    const key = { organizationId, id: pluginId };
    await expect.poll(() => lockActive(tx, key)).toBeDefined();
    const tried = { status: 200, error: null, durationMs: 1 };
    const noted = db.in(within, (other) => noteTry(other, delivery, tried));
    noted.catch(() => undefined);
    // It waits for the webhook's lock.
    await setTimeout(300);
    expect(await insertDeliveries(tx, key, [delivery])).toEqual([]);
    return { noted };
  });
  await noting.noted;
  expect(await newest()).toMatchObject({ id, attempts: 2, durationMs: 1 });
});

test('a delivery is resent by hand with the same id and body', async () => {
  await ask();
  await expect.poll(async () => (await newest())?.state).toBe('delivered');
  const deliveryId = (await newest())?.id ?? '';
  await owner.webhook.replay({ id: pluginId, deliveryId });
  await expect.poll(() => receiver.received.length).toBe(2);
  expect(receiver.received[1]).toEqual(receiver.received[0]);
});

test('a receiver that answers 410 gets no further deliveries', async () => {
  receiver.answers = [410];
  await ask();
  await expect.poll(async () => (await owner.plugin.get({ id: pluginId })).plugin.status).toBe('paused');
});

test('pending deliveries of an agent in the trash are made when it is restored', async () => {
  await ask();
  await expect.poll(async () => (await newest())?.state).toBe('delivered');
  const deliveryId = (await newest())?.id ?? '';
  const deliver = () => deliverWebhook(product.app.deps)({ organizationId, deliveryId });
  await product.app.deps.db.owner.query(`update webhook_delivery set state = 'pending' where id = $1`, [
    deliveryId,
  ]);
  await owner.chatbot.remove({ id: chatbotId, organizationId });
  await expect(deliver()).rejects.toThrow('The agent is in the trash.');
  expect(receiver.received).toHaveLength(1);
  await owner.agentKeeping.restore({ id: chatbotId, organizationId });
  await deliver();
  expect(receiver.received.map(({ id }) => id)).toEqual([deliveryId, deliveryId]);
  expect((await newest())?.state).toBe('delivered');
});

test('a broken webhook does not hold up the others', async () => {
  const broken = [await install(), await install(), await install()].map(({ id }) => id);
  const { owner: all } = product.app.deps.db;
  await all.query(`update plugin set settings_data = '{}' where id = any($1)`, [broken]);
  try {
    await ask();
    await expect.poll(types).toContain('answer.completed');
    // Whatever the order, each of the others is checked as well.
    const failures = () =>
      noticeHappenings(product.app.deps).then(
        () => 0,
        ({ errors }: AggregateError) => errors?.length,
      );
    await expect.poll(failures).toBe(3);
  } finally {
    await all.query('delete from plugin where id = any($1)', [broken]);
  }
});

test('a webhook paused for weeks misses nothing, however many events there were', async () => {
  const told = Array.from({ length: 11_000 }, (_, index) => ({
    event: 'feedback.given' as const,
    subject: `subject ${index}`,
    payload: '{}',
  }));
  const write = () =>
    product.app.deps.db.in({ organizationId }, (tx) =>
      insertDeliveries(tx, { organizationId, id: pluginId }, told),
    );
  expect(new Set(await write()).size).toBe(11_000);
  expect(await write()).toEqual([]);
});

test('events from weeks of pause are delivered in order on resuming', async () => {
  const all = product.app.deps.db.owner;
  await owner.plugin.update({ id: pluginId, status: 'paused' });
  const answers = [await ask(), await ask(), await ask()].map(({ answer }) => answer.id);
  const days = [1, 10, 20];
  for (const [index, id] of answers.entries())
    await all.query(`update message set updated_at = now() - make_interval(days => $1) where id = $2`, [
      days[index],
      id,
    ]);
  await all.query(
    `update plugin set created_at = now() - interval '30 days', seen_until = now() - interval '25 days' where id = $1`,
    [pluginId],
  );
  await owner.plugin.update({ id: pluginId, status: 'active' });
  const told = async () => (await owner.webhook.listDeliveries({ id: pluginId })).deliveries;
  await expect.poll(told).toHaveLength(3);
  const ids = (await told()).map(({ payload }) =>
    answers.findIndex((id) => payload.includes(`"id":"${id}"`)),
  );
  expect(ids).toEqual([0, 1, 2]);
  const isAtNow = async () =>
    (
      await all.query<{ isNow: boolean }>(
        `select seen_until > now() - interval '1 minute' as "isNow" from plugin where id = $1`,
        [pluginId],
      )
    ).rows[0]?.isNow;
  await expect.poll(isAtNow).toBe(true);
});

test('an answer cut off at its length limit is delivered as an answer, with its partial text', async () => {
  provider.script = { pieces: ['Until '], endsFor: 'length' };
  await ask();
  await expect.poll(types).toEqual(['answer.completed']);
  expect(receiver.received[0]?.data).toMatchObject({ answer: { text: 'Until ', state: 'incomplete' } });
});

test('a new secret overlaps with the old one, which then expires; a member without write access never sees a secret', async () => {
  const { secret } = await owner.webhook.secret({ id: pluginId, rotate: true });
  expect(secret).toMatch(/^whsec_/);
  expect(secret).not.toBe(receiver.secret);
  await ask();
  await expect.poll(types).toEqual(['answer.completed']);
  const before = receiver.secret;
  receiver.secret = secret;
  await ask();
  await expect.poll(types).toEqual(['answer.completed', 'answer.completed']);
  await endOverlap();
  receiver.secret = before;
  await ask();
  await expect.poll(() => receiver.forged).toBe(1);
  expect(JSON.stringify(await owner.plugin.get({ id: pluginId }))).not.toContain(secret);
});

/** As if a day had passed. */
async function endOverlap() {
  const { vault, db } = product.app.deps;
  const { rows } = await db.owner.query<{ credentials: string }>(
    'select credentials from plugin where id = $1',
    [pluginId],
  );
  const kept = JSON.parse(vault.decrypt(rows[0]?.credentials ?? '', pluginId)) as { previous: object };
  const over = { ...kept, previous: { ...kept.previous, until: new Date(0).toISOString() } };
  await db.owner.query('update plugin set credentials = $1 where id = $2', [
    vault.encrypt(JSON.stringify(over), pluginId),
    pluginId,
  ]);
}

test('two concurrent rotations each return a secret that signs', async () => {
  const { owner: database } = product.app.deps.db;
  const client = await database.connect();
  await client.query('begin');
  await client.query('select from plugin where id = $1 for update', [pluginId]);
  const making = [1, 2].map(async () => (await owner.webhook.secret({ id: pluginId, rotate: true })).secret);
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await database.query(waiting)).rowCount).toBe(2);
  await client.query('commit');
  client.release();
  const made = await Promise.all(making);
  // Credentials without content change nothing.
  await owner.plugin.update({ id: pluginId, credentials: {} });
  receiver.forged = 0;
  for (const secret of made) {
    receiver.secret = secret;
    receiver.received = [];
    await ask();
    await expect.poll(types).toEqual(['answer.completed']);
  }
  expect(receiver.forged).toBe(0);
});

test('a receiver that never finishes answering, or never answers, holds nothing up', async () => {
  receiver.answers = ['endless'];
  await ask();
  await expect.poll(async () => (await newest())?.state).toBe('delivered');
  expect((await newest())?.durationMs).toBeLessThan(WEBHOOK_TIMEOUT_MS);
});

test('nothing is ever delivered to the internal network', async () => {
  const inside = [
    'http://127.0.0.1:1/',
    'http://[::1]/',
    'http://169.254.169.254/latest',
    'http://10.0.0.1/',
  ];
  for (const url of inside)
    await expect(install({ url })).rejects.toMatchObject({ status: 400, code: 'egress/url-not-allowed' });
  // A host name only shows where it leads when it is resolved; and addresses stored earlier may not have been checked.
  const { id } = await install();
  await product.app.deps.db.owner.query(
    `update plugin set settings_data = jsonb_set(settings_data, '{url}', '"http://127.0.0.1:1/"') where id = $1`,
    [id],
  );
  const { plugin } = await owner.plugin.check({ id });
  expect(plugin.health).toMatchObject({ state: 'failing', error: 'This address is not allowed.' });
  await expect(install({ url: 'ftp://example.com/' })).rejects.toMatchObject({ status: 400 });
  await expect(install({ events: [] })).rejects.toMatchObject({ status: 400 });
  await expect(install({ events: ['everything'] })).rejects.toMatchObject({ status: 400 });
});
