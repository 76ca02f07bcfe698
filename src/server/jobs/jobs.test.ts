import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../test/product.ts';
import { dataExport } from '../db/schema/index.ts';
import { newId } from '../id.ts';

let product: Product;
let database: pg.Client;

beforeAll(async () => {
  product = await startProduct();
  database = new pg.Client({ connectionString: product.databaseUrl });
  await database.connect();
}, 120_000);
afterAll(async () => {
  await database.end();
  await product.close();
});

/** An export whose job was taken by a process that has died since, at the last of its tries. */
async function lastTryOfTheDead(state: 'writing' | 'ready'): Promise<string> {
  const { db, jobs } = product.app.deps;
  const userId = (await product.sessionOf('ada')).user.uid;
  const id = newId('dataExport');
  const expiresAt = new Date(Date.now() + 3_600_000);
  await db.in({}, async (tx) => {
    await tx.insert(dataExport).values({ id, userId, state, ofOrganization: null, expiresAt });
    await jobs.enqueue(tx, 'privacy.export', { exportId: id }, 3600);
  });
  await database.query(
    `update pgboss.job set state = 'active', retry_count = retry_limit, started_on = now() - interval '1 minute',
       heartbeat_on = now() - interval '1 minute' where name = 'privacy.export' and data ->> 'exportId' = $1`,
    [id],
  );
  return id;
}

async function stateOf(id: string): Promise<unknown> {
  const { rows } = await database.query<{ state: string }>('select state from data_export where id = $1', [
    id,
  ]);
  return rows[0]?.state;
}

test('what was under way ends when the process dies that had it for the last time; what was done stays', async () => {
  const dead = await lastTryOfTheDead('writing');
  const done = await lastTryOfTheDead('ready');
  await expect.poll(() => stateOf(dead), { timeout: 60_000 }).toBe('failed');
  await expect
    .poll(() => database.query(`select from pgboss.job where name = 'privacy.export' and state = 'failed'`), {
      timeout: 60_000,
    })
    .toMatchObject({ rowCount: 2 });
  await expect
    .poll(
      () =>
        database.query(`select from pgboss.job where name like 'privacy.export.%' and state = 'completed'`),
      { timeout: 60_000 },
    )
    .toMatchObject({ rowCount: 2 });
  expect(await stateOf(done)).toBe('ready');
}, 200_000);
