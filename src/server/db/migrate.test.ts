import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { administer } from '../../../test/database-server.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { migrate, migrateTo } from './migrate.ts';

/** Everything that migrations create, as text: tables, keys, indexes, policies, functions, triggers. */
const schemaSql = `select string_agg(line, E'\\n' order by line) as text from (
  select format('column %s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) as line
    from information_schema.columns where table_schema in ('public', 'payment_local')
  union all select format('constraint %s %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
    where connamespace = 'public'::regnamespace
  union all select indexdef from pg_indexes where schemaname = 'public'
  union all select format('policy %s %s %s %s', tablename, policyname, qual, with_check) from pg_policies
  union all select prosrc from pg_proc where pronamespace = 'public'::regnamespace
  union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal) x`;

/** How many statements a normal run tries, spread evenly; all of them with `TORTURE`. */
const KILLS = process.env['TORTURE'] ? Infinity : 25;
/** Rows of every kind are carried through the newest migrations, as in an installation several versions behind. */
const BEHIND = 8;

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const textOf = async (sql: string): Promise<string> =>
  (await client.query<{ text: string }>(sql)).rows[0]?.text ?? '';

/** A pool whose connection the server ends before this numbered statement, counted from the first migration on. */
function dyingAt(url: string, statement: number): { pool: pg.Pool; count: () => number } {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  let seen = 0;
  let isMigrating = false;
  let isOver = false;
  pool.on('error', () => undefined);
  pool.on('connect', (connection) => {
    connection.on('error', () => undefined);
    const query = connection.query.bind(connection) as (...given: unknown[]) => unknown;
    const die = async (...given: unknown[]): Promise<unknown> => {
      const [first] = given as [{ text?: string } | string];
      const text = typeof first === 'string' ? first : (first.text ?? '');
      isMigrating = (isMigrating || text === 'begin') && !isOver;
      isOver ||= text === 'commit';
      if (isMigrating && (seen += 1) === statement) {
        const { rows } = (await query('select pg_backend_pid() as pid')) as pg.QueryResult<{ pid: number }>;
        await administer(url, `select pg_terminate_backend(${rows[0]?.pid})`);
      }
      return query(...given);
    };
    connection.query = die as unknown as typeof connection.query;
  });
  return { pool, count: () => seen };
}

async function attempt(url: string, statement: number): Promise<{ succeeded: boolean; statements: number }> {
  const { pool, count } = dyingAt(url, statement);
  const succeeded = await migrate(pool).then(
    () => true,
    () => false,
  );
  await pool.end().catch(() => undefined);
  return { succeeded, statements: count() };
}

/** Including the commit. */
async function statementsOfUpgrade(from: number): Promise<number> {
  const spare = await createTestDatabase();
  const owner = new pg.Client({ connectionString: spare.url });
  await owner.connect();
  await migrateTo(owner, from);
  await owner.end();
  const { statements } = await attempt(spare.url, Infinity);
  await spare.drop();
  return statements;
}

test('an upgrade killed before any statement leaves everything unchanged, and the next start completes it', async () => {
  const whole = await textOf(schemaSql);
  const { rows } = await client.query<{ at: string }>(
    `select created_at as at from drizzle.__drizzle_migrations order by created_at desc offset ${BEHIND} limit 1`,
  );
  await migrateTo(client, Number(rows[0]?.at));
  await client.query(
    `insert into organization (id, name, profile_photo, created_by) values ('org_kept', 'Kept', '', 'user_kept')`,
  );
  const before = await textOf(schemaSql);
  expect(before).not.toBe(whole);
  const total = await statementsOfUpgrade(Number(rows[0]?.at));
  expect(total).toBeGreaterThan(20);
  const step = Math.max(1, Math.ceil(total / KILLS));
  for (let statement = 1; statement <= total; statement += step) {
    expect((await attempt(database.url, statement)).succeeded, `statement ${statement}`).toBe(false);
    expect(await textOf(schemaSql), `statement ${statement}`).toBe(before);
  }
  expect((await attempt(database.url, Infinity)).succeeded).toBe(true);
  expect(await textOf(schemaSql)).toBe(whole);
  expect((await client.query('select id, name from organization')).rows).toEqual([
    { id: 'org_kept', name: 'Kept' },
  ]);
}, 300_000);
