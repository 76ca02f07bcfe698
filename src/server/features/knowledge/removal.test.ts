import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageOf } from '../../../../test/stand-ins/changing-site.ts';
import { startProduct, type Product } from '../../../../test/product.ts';
import { openLoopbackSite, type LoopbackSite } from '../../egress/loopback-site.testing.ts';

/** A page that is delivered only after `deliver` has been called. */
let asked: PromiseWithResolvers<void>;
let deliver: PromiseWithResolvers<void>;
let site: LoopbackSite;
let product: Product;
let database: pg.Client;

beforeAll(async () => {
  site = await openLoopbackSite((request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    asked.resolve();
    void deliver.promise.then(() =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(pageOf('Lanterns', 'All about lanterns.')),
    );
  });
  product = await startProduct({
    ssrfAllowedHosts: [`127.0.0.1:${site.port}`],
    crawlRequestsPerSecond: 1000,
  });
  database = new pg.Client({ connectionString: product.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await product.close();
  await site.close();
});

test('removing an item and reading it do not wait for each other in a circle', async () => {
  asked = Promise.withResolvers();
  deliver = Promise.withResolvers();
  const ada = product.as('ada');
  const { organization } = await ada.organization.create({ name: 'Acme' });
  const { chatbot } = await ada.chatbot.create({ organizationId: organization.id, name: 'Helper' });
  const { knowledge } = await ada.knowledge.create({
    id: chatbot.id,
    organizationId: organization.id,
    type: 'website',
    links: [`http://127.0.0.1:${site.port}/page`],
  });
  await asked.promise;
  // As `knowledge.remove` does: it locks the item, and its sources only when it deletes them with it.
  await database.query(`begin; set local lock_timeout = '500ms'`);
  const { rows } = await database.query<{ id: string; pid: number }>(
    'select id, pg_backend_pid() as pid from knowledge where id = $1 for update',
    [knowledge.id],
  );
  expect(rows).toHaveLength(1);
  deliver.resolve();
  const isReadingWaiting = async () => {
    const { rowCount } = await database.query(
      'select from pg_stat_activity where datname = current_database() and $1 = any(pg_blocking_pids(pid))',
      [rows[0]?.pid],
    );
    return rowCount;
  };
  await expect.poll(isReadingWaiting).toBeGreaterThan(0);
  await database.query('delete from knowledge where id = $1', [knowledge.id]);
  await database.query('commit');
  expect((await ada.knowledge.list({ id: chatbot.id })).allKnowledge).toEqual([]);
});
