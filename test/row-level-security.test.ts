import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { APP_ROLE } from '../src/server/db/migrate.ts';
import { createWorld } from './access/world.ts';
import { startProduct, type Product } from './product.ts';

/** Tables that belong to no organization: people, their sessions, keys and mail. */
const unscoped = [
  'user',
  'session',
  'retired_refresh',
  'sign_in_link',
  'signing_key',
  'mail',
  'idempotency_key',
  'account',
  'oauth_state',
  'onboarding_event',
  'allowance',
  'payment_event',
  'push_subscription',
  'erasure',
  'data_export',
  'socket_attachment',
];

let product: Product;
let client: pg.Client;

beforeAll(async () => {
  product = await startProduct();
  await createWorld(product);
  client = new pg.Client({ connectionString: product.databaseUrl, options: `-c role=${APP_ROLE}` });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await product.close();
});

async function scopedTables(): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  return rows.map(({ name }) => name).filter((name) => !unscoped.includes(name));
}

async function countRows(table: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from "${table}"`);
  return rows[0]?.count ?? 0;
}

test('every table with an organization has row-level security', async () => {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relrowsecurity`,
  );
  const secured = rows.map(({ name }) => name);
  expect(secured.toSorted()).toEqual((await scopedTables()).toSorted());
});

test('no row of such a table is visible without a scope or for another organization', async () => {
  const tables = await scopedTables();
  expect(tables.length).toBeGreaterThan(8);
  for (const organization of ['', 'org_00000000000000000000000000']) {
    await client.query(`select set_config('parley.organization', $1, false)`, [organization]);
    for (const table of tables) expect([table, await countRows(table)]).toEqual([table, 0]);
  }
});

test('an organization’s own rows are visible to it', async () => {
  const owner = new pg.Client({ connectionString: product.databaseUrl });
  await owner.connect();
  const { rows } = await owner.query<{ id: string }>(`select id from organization where name = 'Acme'`);
  await owner.end();
  await client.query(`select set_config('parley.organization', $1, false)`, [rows[0]?.id]);
  expect(await countRows('agent')).toBeGreaterThan(0);
  expect(await countRows('organization')).toBe(1);
});

test('the request role owns nothing and cannot bypass the policies', async () => {
  await expect(client.query('alter table agent disable row level security')).rejects.toThrow(/owner/);
  await expect(
    client.query(`insert into agent (id, organization_id, name, handle, profile_photo, appearance, conversation_starters, model_settings)
    values ('x', 'org_of_somebody_else', 'x', 'x', 'x', '{}', '[]', '{}')`),
  ).rejects.toThrow(/row-level security/);
});

test('the request role cannot access the books of the payment stand-in', async () => {
  for (const table of ['object', 'request', 'delivery', 'setting']) {
    await expect(client.query(`select 1 from payment_local.${table}`)).rejects.toThrow(/permission denied/);
  }
});
