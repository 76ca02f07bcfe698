import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DatabaseProxy, faults } from '../../../test/database-proxy.ts';
import { startProduct, type Product } from '../../../test/product.ts';
import { makeTemporaryFolder } from '../../../test/temporary-folder.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded.ts';

const TIMEOUT_SECONDS = 6;
/** The longest wait of one request: for a connection, for an unanswered statement, and for releasing its key. */
const BOUND_MS = 30_000;
const POOL = 8;
/** More than there are connections. */
const AT_ONCE = 20;

let folder: string;
let postgres: EmbeddedPostgres;
let proxy: DatabaseProxy;
let product: Product;
let other: pg.Client;
const logged: string[] = [];
let organizationId: string;
let conversationId: string;
let idToken: string;

beforeAll(async () => {
  folder = await makeTemporaryFolder('faults');
  postgres = await startEmbeddedPostgres({ dataDir: folder, unsafeFast: true });
  proxy = await DatabaseProxy.start(postgres.connectionString);
  product = await startProduct(
    { databasePoolSize: POOL, databaseTimeoutSeconds: TIMEOUT_SECONDS, logLevel: 'warn' },
    { logged, reached: () => proxy.addressOf(postgres.connectionString) },
  );
  other = new pg.Client({ connectionString: postgres.connectionString });
  await other.connect();
  const ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  const { chatbot } = await ada.chatbot.create({ organizationId, name: 'Helper' });
  conversationId = (await ada.chat.create({ chatbotId: chatbot.id })).conversation.id;
  ({ idToken } = await product.sessionOf('ada'));
});
afterAll(async () => {
  proxy.fault = 'none';
  await other.end();
  await product.close();
  await proxy.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  proxy.fault = 'none';
});

interface Outcome {
  status: number;
  code: string | undefined;
  retryAfter: string | null;
  ms: number;
}

async function request(
  method: string,
  path: string,
  body?: object,
  key: string = randomUUID(),
): Promise<Outcome> {
  const since = performance.now();
  const response = await fetch(product.url + path, {
    method,
    headers: {
      authorization: `Bearer ${idToken}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(BOUND_MS + 10_000),
  });
  const { code } = (await response.json()) as { code?: string };
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, code, retryAfter, ms: performance.now() - since };
}

const readMessages = () => request('GET', `/v1/chat/${conversationId}/message`);
const changeProfile = (name: string) =>
  request('PUT', `/v1/platform/organization/${organizationId}/profile`, { name });
const say = (text: string, key: string) =>
  request('POST', `/v1/chat/${conversationId}/message`, { text }, key);

const pool = (): pg.Pool => (product.app.deps.db.unscoped as unknown as { $client: pg.Pool }).$client;

/** The pool has lost no connection, and nobody is waiting for one. */
const isWhole = (): boolean => {
  const { totalCount, idleCount, waitingCount } = pool();
  return totalCount === idleCount && totalCount <= POOL && waitingCount === 0;
};

function expectBounded(outcomes: Outcome[]): void {
  for (const { status, retryAfter, ms } of outcomes) {
    // A key whose first request is still running gives a 409.
    expect([200, 409, 503]).toContain(status);
    if (status === 503) expect(Number(retryAfter)).toBeGreaterThan(0);
    expect(ms).toBeLessThan(BOUND_MS);
  }
}

async function expectRecovery(): Promise<void> {
  await expect.poll(async () => (await readMessages()).status).toBe(200);
  await expect.poll(isWhole).toBe(true);
  const refused = async () => {
    const many = await Promise.all(Array.from({ length: AT_ONCE }, readMessages));
    return many.filter(({ status }) => status !== 200);
  };
  await expect.poll(refused).toEqual([]);
  await expect.poll(isWhole).toBe(true);
}

test.each(faults)(
  'with %s between it and the database, every request ends and everything recovers',
  async (fault) => {
    const words = [1, 2, 3].map((number) => ({ text: `${fault} ${number}`, key: randomUUID() }));
    const asked = Array.from({ length: AT_ONCE }, (_, index) =>
      index % 2 === 0 ? readMessages() : changeProfile(`${fault} ${index}`),
    );
    proxy.fault = fault;
    expectBounded(await Promise.all([...asked, ...words.map(({ text, key }) => say(text, key))]));
    if (fault === 'stall' || fault === 'refuse') expect(await readMessages()).toMatchObject({ status: 503 });
    expect((await request('GET', '/healthz')).status).toBe(200);
    proxy.fault = 'none';
    await expectRecovery();
    // Repeated under the same key, each exists once.
    for (const { text, key } of words)
      await expect
        .poll(async () => (await say(text, key)).status, { timeout: 20_000, interval: 300 })
        .toBe(200);
    const { messages } = await product.as('ada').chat.listMessages({ id: conversationId, count: 100 });
    for (const { text } of words) expect(messages.filter((message) => message.text === text)).toHaveLength(1);
  },
);

test('a hundred workers without a database write only a few log lines', async () => {
  const complaints = () => logged.filter((line) => line.includes('"job queue"'));
  logged.length = 0;
  proxy.fault = 'refuse';
  await expect.poll(complaints).not.toEqual([]);
  await delay(5000);
  expect(complaints().length).toBeLessThanOrEqual(2);
  proxy.fault = 'none';
  await expectRecovery();
});

test('a commit whose acknowledgement was lost is not repeated', async () => {
  const keys = Array.from({ length: 5 }, (_, index) => `unheard ${index}`);
  const make = (key: string) => request('POST', '/v1/platform/organization', { name: key }, key);
  proxy.fault = 'unheard';
  expect((await Promise.all(keys.map(make))).map(({ status }) => status)).toEqual(keys.map(() => 503));
  proxy.fault = 'none';
  await expectRecovery();
  for (const key of keys)
    await expect.poll(async () => (await make(key)).code).toBe('idempotency/answer-lost');
  const { organizations } = await product.as('ada').organization.list();
  expect(
    organizations
      .map(({ name }) => name)
      .filter((name) => keys.includes(name))
      .sort(),
  ).toEqual(keys);
});

test('a locked row is waited for only briefly, and only by requests that need it', async () => {
  await other.query('begin');
  await other.query('select from organization where id = $1 for update', [organizationId]);
  const [held, ...others] = await Promise.all([changeProfile('Held'), readMessages(), readMessages()]);
  expect(others.map(({ status }) => status)).toEqual([200, 200]);
  expect(held).toMatchObject({ status: 503, retryAfter: '2' });
  expect(held?.ms).toBeLessThan(TIMEOUT_SECONDS * 1000);
  await other.query('rollback');
  expect(await changeProfile('Free')).toMatchObject({ status: 200 });
  await expectRecovery();
});

test('a deadlock victim is told to retry; a single statement is retried for it', async () => {
  await other.query(`set deadlock_timeout = '60s'`);
  const { db } = product.app.deps;
  // Each takes the second lock first, then the first.
  const deadlocked = async <T>(work: () => Promise<T>): Promise<T> => {
    await other.query('begin; select pg_advisory_xact_lock(72, 2)');
    const result = work();
    await expect
      .poll(
        async () =>
          (await other.query(`select from pg_locks where locktype = 'advisory' and not granted`)).rowCount,
      )
      .toBe(1);
    await other.query('select pg_advisory_xact_lock(72, 1)');
    await other.query('commit');
    return result;
  };
  const once = sql`select pg_advisory_xact_lock(72, 1), pg_advisory_xact_lock(72, 2), 'made' as state`;
  expect(await deadlocked(() => db.once({}, once))).toMatchObject([{ state: 'made' }]);
  expect(await deadlocked(() => db.often({}, once))).toMatchObject([{ state: 'made' }]);

  await other.query(`create function meet() returns trigger language plpgsql as $$ begin
    perform pg_advisory_xact_lock(72, 1); perform pg_advisory_xact_lock(72, 2); return new; end $$;
    create trigger meet before update on organization for each row execute function meet()`);
  expect(await deadlocked(() => changeProfile('Victim'))).toMatchObject({ status: 503, retryAfter: '2' });
  expect(await changeProfile('Alone')).toMatchObject({ status: 200 });
  await other.query('drop function meet cascade');
  await expectRecovery();
});

const waiting = `from pg_locks where not granted and locktype <> 'virtualxid'`;

async function untilSomebodyWaits(): Promise<void> {
  const count = async () => (await other.query(`select ${waiting}`)).rowCount;
  await expect.poll(count, { interval: 20 }).toBe(1);
}

/** Waits until someone waits for a lock, then resets a connection with its next message: the outcome of that is never heard. */
async function resetWhileLocked(unlock: string): Promise<void> {
  await untilSomebodyWaits();
  proxy.fault = 'reset';
  await other.query(unlock);
  await delay(300);
  proxy.fault = 'none';
}

/** Waits until someone waits for a lock, then has the database end them. */
async function endWhileLocked(unlock: string): Promise<void> {
  await untilSomebodyWaits();
  await other.query(`select pg_terminate_backend(pid) ${waiting}`);
  await other.query(unlock);
}

test.each<[string, string, string, string, (unlock: string) => Promise<void>, string]>([
  [
    'was begun and whose commit nobody heard of is ended',
    'constraint',
    'after',
    'deferrable initially deferred',
    resetWhileLocked,
    'failed',
  ],
  ['was begun and whose rows nobody heard of is ended', '', 'before', '', resetWhileLocked, 'failed'],
  [
    'was not begun, because the database ended the connection, is made when it is asked for again',
    '',
    'after',
    '',
    endWhileLocked,
    'complete',
  ],
])('an answer that %s, and the conversation continues', async (name, kind, moment, when, breakOff, state) => {
  const [key, text] = [randomUUID(), `Is it said that it ${name}?`];
  await other.query(`create function hold() returns trigger language plpgsql as $$ begin
    perform pg_advisory_xact_lock(72, 3); return new; end $$;
    create ${kind} trigger hold ${moment} insert on message ${when} for each row execute function hold()`);
  await other.query('begin; select pg_advisory_xact_lock(72, 3)');
  const lost = say(text, key);
  await breakOff('commit');
  await other.query('drop function hold cascade');
  expect(await lost).toMatchObject({ status: 503 });
  await expectRecovery();
  const again = async () => (await say(text, key)).status;
  await expect.poll(again, { timeout: 45_000, interval: 300 }).toBe(200);
  expect(await say('And now?', randomUUID())).toMatchObject({ status: 200 });
  const { messages } = await product.as('ada').chat.listMessages({ id: conversationId, count: 100 });
  const asked = messages.filter((message) => message.text === text);
  expect(asked).toHaveLength(1);
  expect(messages.find(({ parentId }) => parentId === asked[0]?.id)).toMatchObject({ state });
});

test('an idempotency key whose claim was never acknowledged can be reused, and its earlier result stays', async () => {
  const [key, used] = [randomUUID(), randomUUID()];
  const make = (name: string, of: string) => request('POST', '/v1/platform/organization', { name }, of);
  expect(await make('Kept', used)).toMatchObject({ status: 200 });
  await other.query(`create function hold() returns trigger language plpgsql as $$ begin
    perform pg_advisory_xact_lock(72, 3); return new; end $$;
    create constraint trigger hold after insert on idempotency_key deferrable initially deferred
      for each row execute function hold()`);
  await other.query('begin; select pg_advisory_xact_lock(72, 3)');
  const lost = make('Taken', key);
  await resetWhileLocked('commit');
  expect(await lost).toMatchObject({ status: 503 });
  await other.query('drop function hold cascade');
  await expect
    .poll(async () => (await make('Taken', key)).status, { timeout: 20_000, interval: 300 })
    .toBe(200);
  // Requested while the database is away, and once more: the response is still available.
  proxy.fault = 'reset';
  expect(await make('Kept', used)).toMatchObject({ status: 503 });
  proxy.fault = 'none';
  await expect
    .poll(async () => (await make('Kept', used)).status, { timeout: 20_000, interval: 300 })
    .toBe(200);
  const { organizations } = await product.as('ada').organization.list();
  expect(organizations.filter(({ name }) => name === 'Taken' || name === 'Kept')).toHaveLength(2);
});

test('the process reacquires its lock once, however its connection was lost', async () => {
  const held = async () =>
    (
      await other.query<{ granted: boolean }>(
        `select granted from pg_locks where locktype = 'advisory' and classid = 7210003`,
      )
    ).rows.map(({ granted }) => granted);
  expect(await held()).toEqual([true]);
  for (let round = 0; round < 3; round += 1) {
    proxy.fault = 'reset';
    await other.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = 7210003`,
    );
    await delay(200);
    proxy.fault = 'none';
    await expect.poll(held).toEqual([true]);
  }
  await delay(3000);
  expect(await held()).toEqual([true]);
  await expectRecovery();
});

test('requests have timeouts, migrations and sweeps have none', async () => {
  const { rows } = await pool().query<{ idle: string; statement: string; lock: string }>(
    `select current_setting('idle_in_transaction_session_timeout') as idle,
       current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`,
  );
  expect(rows).toEqual([{ idle: '24s', statement: '6s', lock: '2s' }]);
  const { owner, boundedOwner } = product.app.deps.db;
  const limitsOf = async (of: pg.Pool) =>
    (
      await of.query(`select current_user = 'postgres' as "isOwner", current_setting('statement_timeout') as statement,
        current_setting('lock_timeout') as lock`)
    ).rows;
  expect(await limitsOf(owner)).toEqual([{ isOwner: true, statement: '0', lock: '0' }]);
  expect(await limitsOf(boundedOwner)).toEqual([{ isOwner: true, statement: '6s', lock: '2s' }]);
});

test('with a silent database neither payments nor the removal of bytes wait forever', async () => {
  const { storage, payments } = product.app.deps;
  await storage.put('fil_to_be_removed', Buffer.from('bytes'));
  proxy.fault = 'stall';
  const since = performance.now();
  const asked = await Promise.allSettled([
    storage.remove('fil_to_be_removed'),
    payments.stripe.customers.list(),
  ]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  // The provider's library tries three times.
  expect(performance.now() - since).toBeLessThan(3 * BOUND_MS);
  proxy.fault = 'none';
  await expectRecovery();
  await storage.remove('fil_to_be_removed');
  await expect(storage.get('fil_to_be_removed')).rejects.toMatchObject({ status: 404 });
  await payments.stripe.customers.list();
});

test('when PostgreSQL accepts no more connections, everybody is told to retry', async () => {
  proxy.fault = 'refuse';
  const hogs: pg.Client[] = [];
  for (let isFull = false; !isFull;) {
    const hog = new pg.Client({ connectionString: postgres.connectionString });
    isFull = await hog.connect().then(
      () => !hogs.push(hog),
      () => true,
    );
  }
  proxy.fault = 'none';
  const outcomes = await Promise.all(Array.from({ length: AT_ONCE }, readMessages));
  expectBounded(outcomes);
  expect(outcomes.filter(({ status }) => status !== 503)).toEqual([]);
  await Promise.all(hogs.map((hog) => hog.end()));
  await expectRecovery();
});
