import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { AppError } from '../app-error.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { startProduct, type Product } from '../../../test/product.ts';
import { dataExport } from '../db/schema/index.ts';
import { connect } from '../db/open.ts';
import { newId } from '../id.ts';
import { createLog } from '../log.ts';
import { bringForward } from './ahead.ts';
import { Postponed, startJobs } from './jobs.ts';

let product: Product;
let database: pg.Client;

beforeAll(async () => {
  product = await startProduct();
  database = new pg.Client({ connectionString: product.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await product.close();
});

/** An export whose job was taken, on its last attempt, by a process that has since died. */
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

test('a job ends when its last process dies during the final attempt; finished work stays', async () => {
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

test('a stopping process leaves resumable jobs to another and finishes the others', async () => {
  const own = await createTestDatabase();
  const log = createLog({ logLevel: 'silent' });
  const open = await connect(own.url, { databasePoolSize: 2 }, log);
  const key = { organizationId: 'org_1', agentId: 'agt_1', knowledgeId: 'knw_1' };
  const done: string[] = [];
  const begun = new Set<string>();
  const jobs = await startJobs(own.url, log);
  const neverGivenUp = () => Promise.resolve();
  const untilStopped = async (_: unknown, signal: AbortSignal) => {
    begun.add('knowledge');
    await sleep(60_000, undefined, { signal });
  };
  await jobs.work('knowledge.process', untilStopped, neverGivenUp);
  await jobs.work('file.remove', async () => {
    begun.add('file');
    await sleep(1500);
    done.push('file');
  });
  await open.database.in({}, async (tx) => {
    await jobs.enqueue(tx, 'knowledge.process', key);
    await jobs.enqueue(tx, 'file.remove', { storageKey: 'some/file' });
  });
  await expect.poll(() => begun.size).toBe(2);
  await jobs.stop();
  expect(done).toEqual(['file']);
  const next = await startJobs(own.url, log);
  await next.work('knowledge.process', async ({ knowledgeId }) => void done.push(knowledgeId), neverGivenUp);
  await expect.poll(() => done).toEqual(['file', 'knw_1']);
  await next.stop();
  await open.close();
  await own.drop();
});

/** Jobs on their own database. */
async function startOwn(log = createLog({ logLevel: 'silent' })) {
  const own = await createTestDatabase();
  const open = await connect(own.url, { databasePoolSize: 2 }, log);
  const jobs = await startJobs(own.url, log);
  const end = async (): Promise<void> => {
    await jobs.stop();
    await open.close();
    await own.drop();
  };
  return { jobs, database: open.database, end };
}

test('one organization’s reading backlog leaves room for another', async () => {
  const { jobs, database: db, end } = await startOwn();
  const going: string[] = [];
  const untilStopped = async ({ organizationId }: { organizationId: string }, signal: AbortSignal) => {
    going.push(organizationId);
    await sleep(60_000, undefined, { signal });
  };
  await jobs.work('knowledge.process', untilStopped, () => Promise.resolve());
  const give = (organizationId: string, count: number) =>
    db.in({}, async (tx) => {
      for (let index = 0; index < count; index += 1)
        await jobs.enqueue(tx, 'knowledge.process', {
          organizationId,
          agentId: 'agt_1',
          knowledgeId: `knw_${index}`,
        });
    });
  await give('org_large', 20);
  await expect.poll(() => going.length, { timeout: 60_000 }).toBe(6);
  await give('org_small', 1);
  await expect.poll(() => going.includes('org_small'), { timeout: 60_000 }).toBe(true);
  expect(going.filter((id) => id === 'org_large')).toHaveLength(6);
  await end();
});

test('jobs queued together run back to back, not at the polling interval', async () => {
  const { jobs, database: db, end } = await startOwn();
  let done = 0;
  await jobs.work('file.remove', async () => void (done += 1));
  await db.in({}, async (tx) => {
    for (let index = 0; index < 100; index += 1)
      await jobs.enqueue(tx, 'file.remove', { storageKey: `some/${index}` });
  });
  // Two workers polling every two seconds would take a minute and a half.
  await expect.poll(() => done, { timeout: 40_000 }).toBe(100);
  await end();
});

test('jobs postponed to tomorrow by a fast clock run now; scheduled jobs keep waiting', async () => {
  const { jobs, database: db, end } = await startOwn();
  const done: string[] = [];
  await db.in({}, async (tx) => {
    for (const storageKey of ['put off', 'tried again', 'waits'])
      await jobs.enqueue(tx, 'file.remove', { storageKey }, 300);
  });
  const runAhead = `update pgboss.job set start_after = start_after + interval '26 hours', state = $2 where data ->> 'storageKey' = $1`;
  await db.owner.query(runAhead, ['put off', 'created']);
  await db.owner.query(runAhead, ['tried again', 'retry']);
  expect(await bringForward(db, 600)).toBe(2);
  await jobs.work('file.remove', async ({ storageKey }) => void done.push(storageKey));
  await expect.poll(() => done.toSorted()).toEqual(['put off', 'tried again']);
  expect(await bringForward(db, 600)).toBe(0);
  await end();
});

test('a job in progress when a fast clock is set back is redone by another process as soon as its own has died', async () => {
  const { jobs, database: db, end } = await startOwn();
  await db.in({}, (tx) => jobs.enqueue(tx, 'file.remove', { storageKey: 'under way' }, 300));
  await db.owner.query(
    `update pgboss.job set state = 'active', started_on = now() + interval '26 hours', heartbeat_on = now() + interval '26 hours'
      where name = 'file.remove'`,
  );
  await db.owner.query(
    `update pgboss.queue set monitor_claim_on = now() + interval '26 hours', monitor_on = now() + interval '26 hours'`,
  );
  const done: string[] = [];
  await jobs.work('file.remove', async ({ storageKey }) => void done.push(storageKey));
  expect(await bringForward(db, 600)).toBe(1);
  expect(await bringForward(db, 600)).toBe(0);
  // As if the ten seconds in which its process should have sent a heartbeat had passed.
  await db.owner.query(`update pgboss.job set heartbeat_on = heartbeat_on - interval '10 seconds'`);
  await expect.poll(() => done, { timeout: 60_000 }).toEqual(['under way']);
  await end();
});

test('a job of a dead process is redone although the clock of this one is set back by hours', async () => {
  const clock = vi
    .spyOn(Date, 'now')
    .mockImplementation(() => performance.timeOrigin + performance.now() + 3 * 3_600_000);
  const { jobs, database: db, end } = await startOwn();
  const done: string[] = [];
  await jobs.work('file.remove', async ({ storageKey }) => void done.push(storageKey));
  clock.mockRestore();
  await db.in({}, (tx) => jobs.enqueue(tx, 'file.remove', { storageKey: 'under way' }, 300));
  await db.owner.query(
    `update pgboss.job set state = 'active', started_on = now() - interval '1 minute', heartbeat_on = now() - interval '1 minute'
      where name = 'file.remove'`,
  );
  await expect.poll(() => done, { timeout: 60_000 }).toEqual(['under way']);
  await end();
});

test('a job that has to wait or finds its resource locked is retried without a logged failure', async () => {
  const told: string[] = [];
  const log = createLog({ logLevel: 'warn' }, { write: (line) => void told.push(line) });
  const { jobs, database: db, end } = await startOwn(log);
  const problems = [
    new AppError('storage/upload-locked'),
    new Postponed('It is paused.'),
    new Error('It is broken.'),
  ];
  let done = 0;
  await jobs.work('file.remove', async () => {
    const problem = problems.shift();
    if (problem) throw problem;
    done += 1;
  });
  await db.in({}, (tx) => jobs.enqueue(tx, 'file.remove', { storageKey: 'some/file' }));
  await expect.poll(() => done).toBe(1);
  const failures = told.map((line) => JSON.parse(line) as { msg: string; err: { message: string } });
  expect(failures.map(({ msg, err }) => [msg, err.message])).toEqual([['job failed', 'It is broken.']]);
  await end();
});
