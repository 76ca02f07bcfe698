import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../../contract/client.ts';
import { contract } from '../../../contract/index.ts';
import { join } from '../../../../test/join.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { untilReady } from '../../../../test/taught-agent.ts';
import { counters } from './counting.ts';
import { readHours, readSeries } from './store.ts';

let product: Product;
let provider: Provider;
let ada: TestClient;
let organizationId: string;
let agentId: string;

beforeAll(async () => {
  provider = await startProvider({ pieces: ['Nine euros [1].'] });
  product = await startProduct({
    providers: { openai: provider.openai },
  });
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  await ada.chatbot.update({ id: agentId, organizationId, isPublic: true, enableKnowledgeBaseMode: true });
  await ada.knowledge.create({
    id: agentId,
    organizationId,
    type: 'text',
    description: 'Prices',
    text: 'A ticket costs nine euros.',
  });
  await untilReady(ada, agentId);
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

const query = async (sql: string, values: unknown[] = []) => product.app.deps.db.owner.query(sql, values);

async function ask(client: TestClient, texts: string[], options: { temporary?: boolean } = {}) {
  const { id } = (await client.chat.create({ chatbotId: agentId, ...options })).conversation;
  for (const text of texts) await client.chat.send({ id, text });
  return id;
}

/** Moves a conversation's messages into the past. */
const age = (id: string, days: number) =>
  query(
    `with older as (update message set created_at = created_at - make_interval(days => $2) where conversation_id = $1)
     update conversation set updated_at = now() where id = $1`,
    [id, days],
  );

test('the numbers of a period are shown beside those of the previous one', async () => {
  const bob = product.as('bob');
  const first = await ask(bob, ['What does a ticket cost?', 'Who won the cup in 1954?']);
  await ask(product.as('cleo'), ['What does a ticket cost?']);
  await ask(bob, ['Not to be counted'], { temporary: true });
  const older = await ask(bob, ['What does a ticket cost?']);
  await age(older, 8);
  const answer = (await bob.chat.listMessages({ id: first })).messages[1];
  await bob.answer.rate({ id: first, messageId: answer?.id ?? '', rating: 'down' });

  const { insight } = await ada.insight.get({ agentId });
  expect(insight.now).toMatchObject({
    conversations: 2,
    messages: 3,
    people: 2,
    answered: 2,
    unanswered: 1,
    failed: 0,
    ratedUp: 0,
    ratedDown: 1,
    handovers: 0,
    waitSeconds: null,
  });
  expect(insight.now.answerRate).toBeCloseTo(2 / 3);
  expect(insight.now.outputTokens).toBeGreaterThan(0);
  expect(insight.now.total.p50).toBeGreaterThan(0);
  expect(insight.before).toMatchObject({ conversations: 1, messages: 1, people: 1, answered: 1 });
  expect(insight.channels).toEqual([{ channel: 'page', conversations: 2 }]);
  expect(insight.countries).toEqual([{ country: null, conversations: 2 }]);
  expect(insight.sources).toMatchObject([{ title: 'Prices', answers: 2 }]);
  expect(insight.series).toHaveLength(7);
  expect(insight.series.at(-1)).toMatchObject({ conversations: 2, messages: 3, answered: 2, unanswered: 1 });
  expect(insight.hours.reduce((sum, { messages }) => sum + messages, 0)).toBe(3);
  expect((await ada.insight.get({ agentId, period: '24h' })).insight.series).toHaveLength(24);
  expect((await ada.insight.get({ agentId, period: '30d' })).insight.now.messages).toBe(4);
});

test('days and hours are in the viewer’s time zone', async () => {
  for (const timeZone of [
    'Asia/Kolkata',
    'America/St_Johns',
    'Pacific/Kiritimati',
    'Pacific/Marquesas',
    'Europe/Berlin',
  ]) {
    const { insight } = await ada.insight.get({ agentId, timeZone, period: '7d' });
    expect([timeZone, insight.series.length]).toEqual([timeZone, 7]);
    expect(insight.series.reduce((sum, { messages }) => sum + messages, 0)).toBe(insight.now.messages);
    const hours = new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' });
    const [moment] = (
      await query(`select min(created_at) as at from message where created_at > now() - interval '1 hour'`)
    ).rows;
    const middle = new Date(moment.at).setUTCMinutes(30, 0, 0);
    const hour = hours.format(Math.min(middle, Date.parse(insight.until)));
    expect(insight.hours.map((each) => each.hour)).toContain(Number(hour));
  }
  for (const timeZone of ['+05:30', 'Nowhere/At_all', 'UTC; select 1'])
    await expect(ada.insight.get({ agentId, timeZone })).rejects.toMatchObject({ status: 400 });
});

test('each end user has numbers of their own, and one who never wrote has none', async () => {
  const { users } = await ada.endUser.list({ id: agentId, search: 'bob' });
  const userId = users[0]?.id ?? '';
  const { insight } = await ada.insight.getUser({ agentId, userId });
  expect(insight.now).toMatchObject({
    conversations: 1,
    messages: 2,
    people: 1,
    answered: 1,
    unanswered: 1,
    ratedDown: 1,
  });
  expect(insight.before).toMatchObject({ conversations: 1, messages: 1 });
  expect(insight.now.total.p95).toBeGreaterThan(0);
  expect(insight.channels).toEqual([{ channel: 'page', conversations: 1 }]);
  expect(insight.countries).toEqual([{ country: null, conversations: 1 }]);
  expect(insight.languages).toHaveLength(1);
  expect(insight.sources).toMatchObject([{ title: 'Prices', answers: 1 }]);
  expect(insight.hours.reduce((sum, { messages }) => sum + messages, 0)).toBe(2);
  const { user } = await product.sessionOf('ada');
  await expect(ada.insight.getUser({ agentId, userId: user.uid })).rejects.toMatchObject({ status: 404 });
});

test('how long people waited for a person, and who came, is counted', async () => {
  const { idToken } = await product.sessionOf('dan');
  const dan = createClient(contract, { baseUrl: product.url, token: () => idToken });
  const { id } = (await dan.chat.create({ chatbotId: agentId })).conversation;
  await dan.chat.send({ id, text: 'What does a ticket cost?' });
  await dan.handover.ask({ id });
  await query(`update handover set asked_at = now() - interval '90 seconds' where conversation_id = $1`, [
    id,
  ]);
  await ada.inbox.take({ id });
  await ada.inbox.write({ id, text: 'I am here.' });
  const { insight } = await ada.insight.getOrganization({ organizationId, period: '24h' });
  expect(insight.now).toMatchObject({ handovers: 1 });
  expect(insight.now.waitSeconds).toBeGreaterThanOrEqual(90);
  expect(insight.now.waitSeconds).toBeLessThan(100);
  expect(insight.members).toMatchObject([
    { name: 'ada', answers: 1, takeovers: 1, waitSeconds: insight.now.waitSeconds },
  ]);
});

test('an organization’s numbers cover the agents that its viewer sees', async () => {
  const other = (await ada.chatbot.create({ organizationId, name: '=HYPERLINK("x")' })).chatbot.id;
  await ada.team.create({ organizationId, name: 'Few', agents: [other] });
  const { id } = (await ada.chat.create({ chatbotId: other })).conversation;
  await ada.chat.send({ id, text: 'Hello' });
  const viewer = await join(product, ada, 'vic', { organizationId, role: 'viewer', teams: [] });
  const mine = (await ada.insight.getOrganization({ organizationId })).insight;
  const theirs = (await viewer.client.insight.getOrganization({ organizationId })).insight;
  expect(mine.agents.map((agent) => agent.now.messages)).toEqual([4, 1]);
  expect(mine.now.messages).toBe(5);
  expect(theirs.agents).toMatchObject([{ id: agentId, now: { messages: 4 } }]);
  expect(theirs.now.messages).toBe(4);
});

test('the country in which a conversation began is stored, and nothing else of the address', async () => {
  const { idToken } = await product.sessionOf('bob');
  const from = async (headers: Record<string, string>) => {
    const response = await fetch(`${product.url}/v1/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${idToken}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ chatbotId: agentId }),
    });
    const { conversation } = (await response.json()) as { conversation: { id: string } };
    const { rows } = await query('select * from conversation where id = $1', [conversation.id]);
    return rows[0];
  };
  const made = await from({ 'x-forwarded-for': '193.99.144.80' });
  expect(made.country).toBe('DE');
  expect(JSON.stringify(made)).not.toContain('193.99');
  expect((await from({ 'x-forwarded-for': '10.1.2.3' })).country).toBeNull();
  // The proxy's information is more accurate.
  expect((await from({ 'x-forwarded-for': '193.99.144.80', 'cf-ipcountry': 'FR' })).country).toBe('FR');
  await product.as('bob').chat.send({ id: made.id, text: 'What does a ticket cost?' });
  const { insight } = await ada.insight.get({ agentId });
  expect(insight.countries).toContainEqual({ country: 'DE', conversations: 1 });
});

test('an export is a table that no program takes for formulas', async () => {
  const file = await ada.insight.export({ agentId, period: '7d' });
  const lines = (await file.text()).trim().split('\r\n');
  const estimated = '"estimatedPositive","estimatedNeutral","estimatedNegative"';
  expect(lines[0]).toBe(
    `"at","conversations","messages","answered","unanswered","failed",${estimated},"costUsd"`,
  );
  expect(lines).toHaveLength(8);
  const { idToken } = await product.sessionOf('ada');
  const response = await fetch(`${product.url}/v1/insight/organization/${organizationId}/csv`, {
    headers: { authorization: `Bearer ${idToken}` },
  });
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(response.headers.get('content-disposition')).toContain('attachment');
  expect(await response.text()).toContain(`"'=HYPERLINK(""x"")"`);
});

test.each([
  ['Asia/Tokyo', 9],
  ['Asia/Kathmandu', 5.75],
])('an export names the days and hours of %s', async (timeZone, offsetHours) => {
  const there = (ms: number) => new Date(ms + offsetHours * 3_600_000).toISOString();
  const ats = async (period: '24h' | '7d') => {
    const lines = (await (await ada.insight.export({ agentId, period, timeZone })).text())
      .trim()
      .split('\r\n');
    return lines.slice(1).map((line) => JSON.parse(line.split(',', 1)[0] ?? '') as string);
  };
  const { series } = (await ada.insight.get({ agentId, period: '7d', timeZone })).insight;
  expect(await ats('7d')).toEqual(series.map(({ at }) => there(Date.parse(at)).slice(0, 10)));
  const hours = await ats('24h');
  const known = (await ada.insight.get({ agentId, period: '24h', timeZone })).insight.series;
  expect(hours).toEqual(known.map(({ at }) => there(Date.parse(at)).slice(0, 16).replace('T', ' ')));
});

test('an agent’s earnings are shown by currency, without refunds', async () => {
  await query(
    `with p as (insert into product (id, organization_id, agent_id, payment_config, details_config) values ('prd_x', $1, $2, '{}', '{}') returning id),
       bought as (insert into purchase (id, organization_id, agent_id, product_id, terms, name) select 'pur_x', $1, $2, 'prd_x', '{}', 'x' returning id)
     select 1`,
    [organizationId, agentId],
  );
  await query(
    `insert into payment (id, organization_id, agent_id, purchase_id, currency, amount, refunded, fee, is_disputed, paid_at) values
       ('a', $1, $2, 'pur_x', 'usd', 900, 100, 0, false, now()), ('b', $1, $2, 'pur_x', 'usd', 300, 0, 0, false, now() - interval '8 days')`,
    [organizationId, agentId],
  );
  expect((await ada.insight.get({ agentId })).insight.revenue).toEqual([
    { currency: 'usd', paid: 800, paidBefore: 300 },
  ]);
  const { users } = await ada.endUser.list({ id: agentId, search: 'bob' });
  const userId = users[0]?.id ?? '';
  const revenueOfBob = async () => (await ada.insight.getUser({ agentId, userId })).insight.revenue;
  expect(await revenueOfBob()).toEqual([]);
  await query(
    `with bought as (insert into purchase (id, organization_id, agent_id, product_id, terms, name, user_id)
         values ('pur_y', $1, $2, 'prd_x', '{}', 'x', $3))
     insert into payment (id, organization_id, agent_id, purchase_id, currency, amount, refunded, fee, is_disputed, paid_at)
     values ('c', $1, $2, 'pur_y', 'usd', 500, 0, 0, false, now())`,
    [organizationId, agentId, userId],
  );
  expect(await revenueOfBob()).toEqual([{ currency: 'usd', paid: 500, paidBefore: 0 }]);
});

test('a source has its usual name: its file’s if there is no other, and never its whole text', async () => {
  const { id } = (await ada.chatbot.create({ organizationId, name: 'Guide' })).chatbot;
  await ada.chatbot.update({ id, organizationId, isPublic: true });
  const media = new File(['The museum opens at ten.'], 'hours.txt', { type: 'text/plain' });
  const { file } = await ada.file.upload({ organizationId, media });
  await ada.knowledge.create({ id, organizationId, type: 'file', files: [file.id] });
  const description = '\n  Lamps\nA lamp for a bicycle costs five euros.';
  await ada.knowledge.create({ id, organizationId, type: 'text', description });
  await untilReady(ada, id);
  const bob = product.as('bob');
  const { conversation } = await bob.chat.create({ chatbotId: id });
  for (const text of ['When does the museum open?', 'What costs a lamp for a bicycle?'])
    await bob.chat.send({ id: conversation.id, text });
  const { sources } = (await ada.insight.get({ agentId: id })).insight;
  expect(sources.map(({ title }) => title).toSorted()).toEqual(['Lamps', 'hours.txt']);
});

test.each([
  ['Asia/Kolkata', '2026-03-10T18:15:00.000Z', '2026-03-09T18:30:00.000Z', { weekday: 2, hour: 23 }],
  ['Asia/Kolkata', '2026-03-10T19:00:00.000Z', '2026-03-10T18:30:00.000Z', { weekday: 3, hour: 0 }],
  ['Asia/Kathmandu', '2026-03-10T19:00:00.000Z', '2026-03-10T18:15:00.000Z', { weekday: 3, hour: 0 }],
])(
  'where midnight falls within an hour, all numbers put it on one day (%s, %s)',
  async (timeZone, until, at, place) => {
    const { id } = (await ada.chatbot.create({ organizationId, name: 'Night' })).chatbot;
    const scope = { organizationId, agentIds: [id] };
    const zeros = counters.map((name) => (name === 'messages' ? 3 : 0)).join();
    await query(
      `insert into insight_hour (organization_id, agent_id, hour, wait_seconds, ${counters.join()})
     values ($1, $2, '2026-03-10T18:00Z', '{}', ${zeros})`,
      [organizationId, id],
    );
    const from = new Date(new Date(Date.parse(at) - 6 * 86_400_000).setUTCMinutes(0)).toISOString();
    const range = {
      period: '7d',
      timeZone,
      from,
      until,
      beforeFrom: '2026-02-24T18:00:00.000Z',
      beforeUntil: from,
    } as const;
    await product.app.deps.db.in({ organizationId }, async (tx) => {
      const chart = await readSeries(tx, scope, range);
      expect(chart).toHaveLength(7);
      expect(chart.at(-1)).toMatchObject({ at, messages: 3 });
      expect(await readHours(tx, scope, range)).toEqual([{ ...place, messages: 3 }]);
    });
  },
);
