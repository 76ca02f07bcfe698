import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../../contract/client.ts';
import { contract } from '../../../contract/index.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { makeTaughtAgent } from '../../../../test/taught-agent.ts';
import { newId } from '../../id.ts';
import { countConversations } from './counting.ts';
import { recount, rollUpAll } from './rollup.ts';

let product: Product;
let ada: TestClient;
let provider: Provider;
let organizationId: string;
let agentId: string;

/** Answered by a model with a known price, one without, and none. */
const models = ['openai/priced', 'openai/dear', null];

beforeAll(async () => {
  provider = await startProvider({ pieces: ['Nine ', 'euros [1].'] });
  product = await startProduct({
    providers: { openai: { apiKey: 'sk-test', baseUrl: provider.baseUrl, model: 'priced, dear' } },
    modelPrices: { 'openai/priced': { input: '0.25', cachedInput: null, output: '2.000001' } },
    defaultModel: 'parley/extractive',
  });
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await makeTaughtAgent(ada, organizationId, 'A ticket costs nine euros. Dogs travel free.')).id;
  await ada.chatbot.update({ id: agentId, organizationId, isPublic: true, enableKnowledgeBaseMode: true });
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

const query = async <Row>(sql: string, values: unknown[] = []) =>
  (await product.app.deps.db.owner.query(sql, values)).rows as Row[];

const tables = ['conversation', 'member', 'hour', 'share', 'person'].map((name) => `insight_${name}`);

/** All stored sums, in a fixed order; arrays of measurements have none. */
async function kept(): Promise<string[][]> {
  const rows = await Promise.all(
    tables.map((table) =>
      query<{ row: Record<string, unknown> }>(
        `select to_jsonb(t) as row from ${table} t where agent_id = $1`,
        [agentId],
      ),
    ),
  );
  return rows.map((each) => each.map(({ row }) => JSON.stringify(row, sorted)).toSorted());
}

const sorted = (_key: string, value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(String).toSorted()
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value;

/** Discards all sums and rebuilds them from the conversations. */
async function fromNothing(): Promise<string[][]> {
  for (const table of tables) await query(`delete from ${table} where agent_id = $1`, [agentId]);
  const ids = await query<{ id: string }>(`select id from conversation where agent_id = $1`, [agentId]);
  await product.app.deps.db.in({ organizationId }, (tx) =>
    recount(
      tx,
      { organizationId, agentId },
      ids.map(({ id }) => id),
    ),
  );
  return kept();
}

/** The same numbers on every run. */
function random(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const questions = [
  'What does a ticket cost?',
  'Do dogs travel free?',
  'Who won the cup in 1954?',
  'Who built the bridge?',
  'Was kostet eine Fahrkarte für Kinder?',
];

type Client = Awaited<ReturnType<typeof clientOf>>;
async function clientOf(name: string) {
  const { idToken } = await product.sessionOf(name);
  return createClient(contract, { baseUrl: product.url, token: () => idToken });
}

const choose = (model: string | null) =>
  ada.chatbot.update({ id: agentId, organizationId, modelSettings: { model } });

/** One random action; if it isn't possible at the moment, it is refused and doesn't count. */
async function act(client: Client, id: string, next: (below: number) => number): Promise<void> {
  const { messages } = await client.chat.listMessages({ id, count: 100 });
  const answer = messages.findLast(({ role }) => role === 'assistant');
  const asked = messages.findLast(({ role }) => role === 'user');
  const text = questions[next(questions.length)] ?? '';
  switch (next(12)) {
    case 11:
      return void (await choose(models[next(models.length)] ?? null));
    case 0:
      return void (answer && (await client.chat.regenerate({ id, messageId: answer.id })));
    case 1:
      return void (asked && (await client.chat.edit({ id, messageId: asked.id, text })));
    case 2:
    case 3:
      return void (
        answer && (await client.answer.rate({ id, messageId: answer.id, rating: next(2) ? 'up' : 'down' }))
      );
    case 4:
      return void (answer && (await client.answer.rate({ id, messageId: answer.id, rating: null })));
    case 5:
      return void (await client.handover.ask({ id }));
    case 6:
      await ada.inbox.take({ id });
      return void (await ada.inbox.write({ id, text: 'I am here.' }));
    case 7:
      return void (await ada.inbox.release({ id }));
    case 8:
      await client.history.remove({ id });
      return void (next(2) && (await client.history.restore({ id })));
    default:
      return void (await client.chat.send({ id, text }));
  }
}

/** As if it had been some hours ago; later writes are noticed anyway. */
const age = (id: string, hours: number) =>
  query(
    `with older as (update message set created_at = created_at - make_interval(hours => $2) where conversation_id = $1),
       asked as (update handover set asked_at = asked_at - make_interval(hours => $2) where conversation_id = $1)
     update conversation set updated_at = now() where id = $1`,
    [id, hours],
  );

async function happen(seed: number, steps: number): Promise<void> {
  const next = random(seed);
  const people = await Promise.all(['bob', 'cleo', 'dan'].map(clientOf));
  const open: { client: Client; id: string }[] = [];
  for (let step = 0; step < steps; step += 1) {
    const client = people[next(people.length)] as Client;
    if (open.length === 0 || next(5) === 0) {
      const { conversation } = await client.chat.create({ chatbotId: agentId, temporary: next(6) === 0 });
      open.push({ client, id: conversation.id });
    }
    const chosen = open[next(open.length)] as (typeof open)[number];
    await act(chosen.client, chosen.id, next).catch(() => undefined);
    if (next(6) === 0) await age(chosen.id, next(60));
    if (next(12) === 0) await rollUpAll(product.app.deps);
    if (next(12) === 0) await ada.insight.get({ agentId });
  }
}

test('after any events the sums equal those of a fresh count', async () => {
  for (const seed of [1, 2, 3]) {
    await happen(seed, 80);
    await rollUpAll(product.app.deps);
    const found = await kept();
    expect(found[2]?.length).toBeGreaterThan(3);
    expect(found).toEqual(await fromNothing());
  }
});

test('costs and question languages match the answers themselves', async () => {
  await choose('openai/priced');
  await happen(5, 20);
  await rollUpAll(product.app.deps);
  const [said] = await query<{ cost: string; priced: number; unpriced: number }>(
    `select sum((m.receipt ->> 'costNanoUsd')::bigint) as cost,
        count(*) filter (where m.receipt ->> 'costNanoUsd' is not null)::int as priced,
        count(*) filter (where m.receipt is not null and m.receipt ->> 'costNanoUsd' is null)::int as unpriced
       from message m join conversation c on c.id = m.conversation_id
      where c.agent_id = $1 and not c.temporary and c.deleted_at is null and c.agent_version is null
        and exists (select from message u where u.conversation_id = c.id and u.role = 'user')`,
    [agentId],
  );
  const { now, series, languages } = (await ada.insight.get({ agentId, period: '30d' })).insight;
  expect(Number(said?.cost)).toBeGreaterThan(10_000);
  expect(said?.unpriced).toBeGreaterThan(0);
  expect([nanoOf(now.costUsd), now.priced, now.unpriced]).toEqual([
    BigInt(said?.cost ?? 0),
    said?.priced,
    said?.unpriced,
  ]);
  expect(series.reduce((sum, { costUsd }) => sum + nanoOf(costUsd), 0n)).toBe(BigInt(said?.cost ?? 0));
  const begun = languages.reduce((sum, { conversations }) => sum + conversations, 0);
  expect(begun).toBe(now.conversations);
  expect(languages.map(({ language }) => language)).toEqual(expect.arrayContaining(['en', 'de']));
  await choose(null);
});

/** From decimal US dollars. */
function nanoOf(usd: string): bigint {
  const [whole = '0', decimals = ''] = usd.split('.');
  return BigInt(whole) * 1_000_000_000n + BigInt(decimals.padEnd(9, '0'));
}

test('the sums match the messages themselves', async () => {
  await rollUpAll(product.app.deps);
  const [said] = await query<Record<string, string>>(
    `select count(*) filter (where m.role = 'user') as messages,
        count(*) filter (where m.role = 'assistant' and m.state = 'complete' and m.receipt ->> 'refused' is null) as answered,
        count(*) filter (where m.receipt ->> 'refused' = 'true') as unanswered, count(distinct c.user_id) as people,
        count(distinct c.id) filter (where m.role = 'user') as conversations
       from message m join conversation c on c.id = m.conversation_id
      where c.agent_id = $1 and not c.temporary and c.deleted_at is null and c.agent_version is null`,
    [agentId],
  );
  const { now } = (await ada.insight.get({ agentId, period: '30d' })).insight;
  const wanted = Object.fromEntries(Object.entries(said ?? {}).map(([name, count]) => [name, Number(count)]));
  expect(now).toMatchObject(wanted);
  expect(now.answered).toBeGreaterThan(5);
  expect(now.unanswered).toBeGreaterThan(5);
});

test('kills during a count and concurrent counts lose nothing and count nothing twice', async () => {
  const { db, pace } = product.app.deps;
  await happen(4, 60);
  const killOne = async (isOver: () => boolean): Promise<boolean> => {
    while (!isOver()) {
      const ended = await query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and query like '%insight_conversation%'`,
      );
      if (ended.length > 0) return true;
    }
    return false;
  };
  let isKilled = false;
  // It may be done before it is found.
  for (let attempt = 0; attempt < 10 && !isKilled; attempt += 1) {
    await query(`delete from insight_rollup where agent_id = $1`, [agentId]);
    let isOver = false;
    const counting = rollUpAll({ db, pace })
      .catch(() => undefined)
      .then(() => (isOver = true));
    isKilled = await killOne(() => isOver);
    await counting;
  }
  expect(isKilled).toBe(true);
  await Promise.all([
    rollUpAll({ db, pace }),
    rollUpAll({ db, pace }),
    ada.insight.get({ agentId }),
    ada.endUser.list({ id: agentId }),
  ]);
  const found = await kept();
  expect(found).toEqual(await fromNothing());
});

test('a reader of numbers does not wait long for a count, and gets those of the last one', async () => {
  const read = async () => (await ada.chatbot.week({ id: agentId, organizationId })).week.questions;
  const before = await read();
  const reader = product.as('reader');
  const { id } = (await reader.chat.create({ chatbotId: agentId })).conversation;
  await reader.chat.send({ id, text: 'Do cats travel free?' });
  const counting = await product.app.deps.db.owner.connect();
  await counting.query('begin');
  await counting.query(`select 1 from insight_rollup where agent_id = $1 for update`, [agentId]);
  expect(await read()).toBe(before);
  const { users } = await ada.endUser.list({ id: agentId });
  expect(users.map(({ name }) => name)).not.toContain('reader');
  await counting.query('commit');
  counting.release();
  expect(await read()).toBe(before + 1);
});

test('an answer still in progress during a count is counted once it has ended', async () => {
  const [conversation] = await query<{ id: string; answer: string }>(
    `select c.id, m.id as answer from conversation c join message m on m.conversation_id = c.id
      where c.agent_id = $1 and m.role = 'assistant' and m.state = 'complete' and c.deleted_at is null and not c.temporary limit 1`,
    [agentId],
  );
  const values = [conversation?.id, conversation?.answer];
  await query(
    `with c as (update conversation set answering = $2, updated_at = now() where id = $1)
    update message set state = 'pending' where id = $2`,
    values,
  );
  await rollUpAll(product.app.deps);
  await query(
    `update conversation set updated_at = now() - interval '1 hour' where id = $1`,
    values.slice(0, 1),
  );
  await rollUpAll(product.app.deps);
  await query(
    `with c as (update conversation set answering = null where id = $1)
    update message set state = 'complete' where id = $2`,
    values,
  );
  await rollUpAll(product.app.deps);
  const found = await kept();
  expect(found).toEqual(await fromNothing());
});

test('a purged conversation is in no sum, and its person in no list', async () => {
  const gone = product.as('gone');
  const { id } = (await gone.chat.create({ chatbotId: agentId })).conversation;
  await gone.chat.send({ id, text: 'Do dogs travel free?' });
  expect((await ada.endUser.list({ id: agentId })).users.map(({ name }) => name)).toContain('gone');
  await query(`delete from "user" where name = 'gone'`);
  expect((await ada.endUser.list({ id: agentId })).users.map(({ name }) => name)).not.toContain('gone');
  await rollUpAll(product.app.deps);
  const found = await kept();
  expect(found).toEqual(await fromNothing());
});

test('a guest’s messages count at once for the person they turn out to be', async () => {
  const guest = await product.sessionOf('gus', 'guest');
  const client = product.as('gus', 'guest');
  const { id } = (await client.chat.create({ chatbotId: agentId })).conversation;
  await client.chat.send({ id, text: 'Do dogs travel free?' });
  const named = async () =>
    (await ada.endUser.list({ id: agentId, count: 100 })).users.map(({ name }) => name);
  expect(await named()).toContain('Guest');
  const personId = newId('user');
  await query(`insert into "user" (id, name, profile_photo, is_anonymous) values ($1, 'Gustav', '', false)`, [
    personId,
  ]);
  await query(`select merge_guest($1, $2)`, [guest.user.uid, personId]);
  const names = await named();
  expect(names).toContain('Gustav');
  expect(names).not.toContain('Guest');
  const found = await kept();
  expect(found).toEqual(await fromNothing());
});

test('an agent that moves takes its numbers along', async () => {
  const moved = await makeTaughtAgent(ada, organizationId);
  const { id } = (await ada.chat.create({ chatbotId: moved.id })).conversation;
  await ada.chat.send({ id, text: 'Hello' });
  const { now } = (await ada.insight.get({ agentId: moved.id })).insight;
  const other = (await ada.organization.create({ name: 'Beta' })).organization.id;
  await ada.agentKeeping.transfer({ id: moved.id, organizationId, toOrganizationId: other, name: 'Helper' });
  await rollUpAll(product.app.deps);
  expect((await ada.insight.get({ agentId: moved.id })).insight.now).toEqual(now);
  expect((await ada.insight.getOrganization({ organizationId: other })).insight.now.messages).toBe(1);
});

test('nothing remains of a purged agent', async () => {
  const other = await makeTaughtAgent(ada, organizationId);
  const { id } = (await ada.chat.create({ chatbotId: other.id })).conversation;
  await ada.chat.send({ id, text: 'Hello' });
  await ada.insight.get({ agentId: other.id });
  await query(`delete from agent where id = $1`, [other.id]);
  await rollUpAll(product.app.deps);
  for (const table of [...tables, 'insight_rollup', 'insight_change'])
    expect(await query(`select 1 from ${table} where agent_id = $1`, [other.id])).toEqual([]);
});

test('many conversations are counted in one go, even before PostgreSQL has analyzed the tables', async () => {
  const ids = Array.from({ length: 400 }, () => newId('conversation'));
  const { user } = await product.sessionOf('ada');
  await query(
    `insert into conversation (id, organization_id, agent_id, user_id, title, last_sequence)
     select id, $2, $3, $4, '', 4 from unnest($1::text[]) id`,
    [ids, organizationId, agentId, user.uid],
  );
  await query(
    `insert into message (id, organization_id, conversation_id, role, text, state, sequence)
     select id || s, $2, id, case when s % 2 = 1 then 'user' else 'assistant' end, 'Said', 'complete', s
       from unnest($1::text[]) id, generate_series(1, 4) s`,
    [ids, organizationId],
  );
  const unknown = ['conversation', 'message', 'message_feedback', 'handover'].map(
    (name) => `'${name}'::regclass`,
  );
  await query(`delete from pg_statistic where starelid in (${unknown.join()})`);
  await query(`update pg_class set reltuples = -1 where oid in (${unknown.join()})`);
  const hits = await product.app.deps.db.in({ organizationId }, async (tx) => {
    const { rows } = await tx.execute<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
      sql`explain (analyze, buffers, timing off, format json) ${countConversations({ organizationId, agentId }, ids)}`,
    );
    return rows[0]?.['QUERY PLAN'][0]?.Plan['Shared Hit Blocks'];
  });
  expect(hits).toBeGreaterThan(ids.length);
  expect(hits).toBeLessThan(100 * ids.length);
});
