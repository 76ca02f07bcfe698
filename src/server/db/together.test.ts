import { setImmediate as nextRound } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../test/product.ts';
import type { Database } from './scope.ts';
import { Shape } from './shape.ts';
import { Queue, type Asked } from './together-queue.ts';

let product: Product;
let db: Database;
let organizationId: string;

beforeAll(async () => {
  product = await startProduct();
  ({ db } = product.app.deps);
  ({ id: organizationId } = (await product.as('ada').organization.create({ name: 'Acme' })).organization);
});
afterAll(() => product.close());

const transaction = sql`select pg_current_xact_id()::text as id, current_setting('parley.organization') as organization`;

test('queries that an organization issues while one is in flight share one transaction, in its scope', async () => {
  const asked = Array.from({ length: 6 }, () => db.together(organizationId, transaction));
  const rows = (await Promise.all(asked)).flat() as { id: string; organization: string }[];
  expect(rows.map(({ organization }) => organization)).toEqual(Array(6).fill(organizationId));
  // All six arrived at the same moment.
  expect(new Set(rows.map(({ id }) => id)).size).toBe(1);
  const [later] = await db.together(organizationId, transaction);
  expect(rows.map(({ id }) => id)).not.toContain(later?.['id']);
});

test('each query gets its own rows, and a rejected one costs the others nothing', async () => {
  const numbers = [1, 2, 0, 4, 5];
  const asked = numbers.map((number) =>
    db.together(organizationId, sql`select 20 / ${number}::int as share`),
  );
  const outcomes = await Promise.allSettled(asked);
  expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'refused'))).toEqual([
    [{ share: 20 }],
    [{ share: 10 }],
    'refused',
    [{ share: 5 }],
    [{ share: 4 }],
  ]);
});

test('a lost connection fails all queries, since their outcome is unknown, and the next one works', async () => {
  const asked = [transaction, sql`select pg_sleep(20)`, transaction].map((statement) =>
    db.together(organizationId, statement),
  );
  const outcomes = Promise.allSettled(asked);
  const end = () =>
    db.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and query like '%pg_sleep(20)%'`,
    );
  await expect.poll(async () => (await end()).rowCount, { interval: 20 }).toBe(1);
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await db.together(organizationId, transaction)).toHaveLength(1);
});

const columns = { id: 'text', line: 'text', text: 'text', number: 'int', flag: 'boolean' } as const;
const keys = { key: 'id', apart: 'line' } as const;
const echo = new Shape(
  columns,
  keys,
  (asked) => sql`with asked as (select * from ${asked} asked)
    select id as "askedBy", text, number, flag, ${"it's"}::text as fixed, (select count(*)::int from asked) as of from asked`,
);
const given = (id: string, other: object = {}) => ({
  id,
  line: id,
  text: '',
  number: 0,
  flag: null,
  ...other,
});

test('a prepared statement takes any values, however it is sent', async () => {
  for (const text of [
    "O'Neill",
    'C:\\temp\\',
    "\\'; drop table message; --",
    '$1 $2',
    'Zeile\nzwei',
    '"',
    '',
  ]) {
    const values = { text, number: -7, flag: text === '' ? null : true };
    const statement = echo.with(given('a', values));
    const expected = [{ askedBy: 'a', ...values, fixed: "it's", of: 1 }];
    expect(await db.often({ organizationId }, statement)).toEqual(expected);
    expect(await db.once({ organizationId }, statement)).toEqual(expected);
    const two = [statement, echo.with(given('b', values))].map((each) => db.together(organizationId, each));
    expect(await Promise.all(two)).toEqual(
      ['a', 'b'].map((askedBy) => [{ askedBy, ...values, fixed: "it's", of: 2 }]),
    );
  }
});

test('queries merged into one statement get their own rows, and those that must be separate are', async () => {
  const asked = [given('a'), given('b', { line: 'a' }), given('c'), given('d', { text: '\ud800' })];
  const rows = await Promise.all(asked.map((each) => db.together(organizationId, echo.with(each))));
  expect(rows).toMatchObject([
    [{ askedBy: 'a', of: 3 }],
    [{ askedBy: 'b', of: 1 }],
    [{ askedBy: 'c', of: 3 }],
    [{ askedBy: 'd', of: 3, text: '\ufffd' }],
  ]);
});

test('a query that depends on the others runs alone, and so does each when one is rejected', async () => {
  const sharing = new Shape(
    columns,
    keys,
    (asked) => sql`with asked as (select * from ${asked} asked)
      select id as "askedBy", 12 / number as share, number > 2 and count(*) over () > 1 as alone from asked where number < 9`,
  );
  const ask = (numbers: number[]) =>
    Promise.allSettled(
      numbers.map((number) => db.together(organizationId, sharing.with(given(String(number), { number })))),
    );
  const told = (outcomes: PromiseSettledResult<Record<string, unknown>[]>[]) =>
    outcomes.map((each) => (each.status === 'fulfilled' ? each.value : 'refused'));
  expect(told(await ask([1, 2, 3, 9]))).toEqual([
    [{ askedBy: '1', share: 12, alone: false }],
    [{ askedBy: '2', share: 6, alone: false }],
    [{ askedBy: '3', share: 4, alone: false }],
    [],
  ]);
  expect(told(await ask([1, 0, 2]))).toMatchObject([[{ share: 12 }], 'refused', [{ share: 6 }]]);
});

test('only statements planned once are planned for growing tables', async () => {
  const plans = sql`select current_setting('plan_cache_mode') as plans, current_setting('enable_bitmapscan') as bitmaps,
    current_setting('enable_seqscan') as whole`;
  const toLast = [{ plans: 'force_generic_plan', bitmaps: 'off', whole: 'off' }];
  expect(await db.often({ organizationId }, plans)).toEqual(toLast);
  const asked = [db.together(organizationId, plans), db.together(organizationId, plans)];
  expect(await Promise.all(asked)).toEqual([toLast, toLast]);
  expect(await db.once({ organizationId }, plans)).toEqual([{ plans: 'auto', bitmaps: 'on', whole: 'on' }]);
});

/** Reads one row, and writes only once the lock is free; a number below 1 is refused then. */
function splitOne(number: number) {
  const whole = echo.with(given('a', { number }));
  const read = { text: `select 'read' as part, pg_current_xact_id()::text as id`, values: [] };
  const write = {
    text: `select 20 / $1::int as share, pg_current_xact_id()::text as id from (select pg_advisory_xact_lock(72, 5)) as waited`,
    values: [number],
  };
  return { ...whole, split: { read, write } };
}

test('a split statement returns its rows before it writes, and a rejected write fails the transaction', async () => {
  const holder = await db.owner.connect();
  try {
    await holder.query('select pg_advisory_lock(72, 5)');
    const early = await db.early<{ part: string; id: string }>(organizationId, splitOne(5));
    expect(early.rows).toMatchObject([{ part: 'read' }]);
    await holder.query('select pg_advisory_unlock(72, 5)');
    expect(await early.committed).toEqual([{ share: 4, id: early.rows[0]?.id }]);
  } finally {
    holder.release();
  }
  // By then nothing is under way any more.
  await nextRound();
  const refused = await db.early(organizationId, splitOne(0));
  expect(refused.rows).toMatchObject([{ part: 'read' }]);
  await expect(refused.committed).rejects.toThrow('division by zero');
  expect(await db.together(organizationId, transaction)).toHaveLength(1);
});

test('concurrent statements are not split', async () => {
  const asked = [1, 2, 3].map((number) => db.early(organizationId, splitOne(number)));
  const rows = (await Promise.all(asked)).map((early) => early.rows[0]);
  expect(rows).toMatchObject([{ number: 1 }, { number: 2 }, { number: 3 }]);
  const later = await db.early(organizationId, splitOne(4));
  expect(later.rows).toMatchObject([{ number: 4 }]);
});

/** Named statements; those that want their rows early begin with that word. */
function queueOfNames() {
  const queue = new Queue();
  const named = new Map<Asked, string>();
  const add = (name: string, now = 0) => {
    const isEarly = name.startsWith('early');
    const [statement, ignore] = [sql``, () => undefined];
    const asked: Asked = { statement, isEarly, maySplit: false, resolve: ignore, reject: ignore };
    named.set(asked, name);
    queue.add(asked, now);
  };
  return { queue, named, add };
}

test('a message is sent when its moment is over, or as soon as those who wait fill it', async () => {
  const { queue, add } = queueOfNames();
  let isSent = false;
  const gather = () => {
    isSent = false;
    void queue.gathered(2).then(() => (isSent = true));
  };
  add('early 1');
  gather();
  add('patient 1');
  await new Promise((resolve) => process.nextTick(resolve));
  expect(isSent).toBe(false);
  await nextRound();
  expect(isSent).toBe(true);
  gather();
  add('early 2');
  await new Promise((resolve) => process.nextTick(resolve));
  expect(isSent).toBe(true);
});

test('statements that nobody waits for let some of those pass that want their rows early, and then share a message', () => {
  const { queue, named, add } = queueOfNames();
  const next = (now: number) => queue.next(now, 5, 4).map((asked) => named.get(asked));
  add('patient 1', 100);
  add('early 1', 101);
  expect(next(102)).toEqual(['early 1']);
  add('early 2', 103);
  expect(next(110)).toEqual(['early 2']);
  add('patient 2', 111);
  add('early 3', 115);
  expect(next(116)).toEqual(['early 3', 'patient 1', 'patient 2']);
  add('patient 3', 120);
  expect(next(124)).toEqual([]);
  expect(next(125)).toEqual(['patient 3']);
  for (const number of [4, 5, 6, 7, 8]) add(`patient ${number}`, 130);
  for (const number of [4, 5, 6]) add(`early ${number}`, 130);
  expect(next(130)).toEqual(['early 4', 'early 5', 'patient 4', 'patient 5']);
  expect(next(145)).toEqual(['early 6', 'patient 6', 'patient 7', 'patient 8']);
  expect(queue.isEmpty).toBe(true);
});

test('they are sent even if others that want their rows early never stop coming', async () => {
  const over = new AbortController();
  const crowd = async () => {
    while (!over.signal.aborted) await db.early(organizationId, transaction);
  };
  const crowds = [crowd(), crowd(), crowd()];
  expect(await db.together(organizationId, transaction)).toHaveLength(1);
  over.abort();
  await Promise.all(crowds);
});
