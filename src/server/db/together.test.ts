import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../test/product.ts';
import type { Database } from './scope.ts';
import { Shape } from './shape.ts';

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

test('what an organization asks while something of it is under way is one transaction, in its scope', async () => {
  const asked = Array.from({ length: 6 }, () => db.together(organizationId, transaction));
  const rows = (await Promise.all(asked)).flat() as { id: string; organization: string }[];
  expect(rows.map(({ organization }) => organization)).toEqual(Array(6).fill(organizationId));
  // All six came in the same moment.
  expect(new Set(rows.map(({ id }) => id)).size).toBe(1);
  const [later] = await db.together(organizationId, transaction);
  expect(rows.map(({ id }) => id)).not.toContain(later?.['id']);
});

test('each has its own rows, and what is refused takes nothing from the others', async () => {
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

test('when the connection is lost all are told, because nobody knows what was done, and the next goes on', async () => {
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

test('a statement that is put together once takes any values, however it is sent', async () => {
  const shape = new Shape<'text' | 'number' | 'flag'>(
    sql`select ${sql.placeholder('text')}::text as text, ${sql.placeholder('number')}::int as number,
      ${sql.placeholder('flag')}::boolean as flag, ${"it's"}::text as fixed`,
  );
  for (const text of ["O'Neill", 'C:\\temp\\', "\\'; drop table message; --", '$1 $2', 'Zeile\nzwei', '']) {
    const values = { text, number: -7, flag: text === '' ? null : true };
    const expected = [{ ...values, fixed: "it's" }];
    const statement = shape.with(values);
    expect(await db.often({ organizationId }, statement)).toEqual(expected);
    expect(await db.once({ organizationId }, statement)).toEqual(expected);
    expect(
      await Promise.all([db.together(organizationId, statement), db.together(organizationId, statement)]),
    ).toEqual([expected, expected]);
  }
});

test('what is planned once is planned for tables that grow, and nothing else is', async () => {
  const plans = sql`select current_setting('plan_cache_mode') as plans, current_setting('enable_bitmapscan') as bitmaps`;
  const toLast = [{ plans: 'force_generic_plan', bitmaps: 'off' }];
  expect(await db.often({ organizationId }, plans)).toEqual(toLast);
  const asked = [db.together(organizationId, plans), db.together(organizationId, plans)];
  expect(await Promise.all(asked)).toEqual([toLast, toLast]);
  expect(await db.once({ organizationId }, plans)).toEqual([{ plans: 'auto', bitmaps: 'on' }]);
});
