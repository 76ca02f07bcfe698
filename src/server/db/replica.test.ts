import { spawnSync } from 'node:child_process';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct } from '../../../test/product.ts';
import { DatabaseProxy } from '../../../test/database-proxy.ts';
import { makeTemporaryFolder } from '../../../test/temporary-folder.ts';
import { readConfig } from '../config/config.ts';
import { createLog } from '../log.ts';
import { lookAtReplica } from '../operations/doctor-replica.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded.ts';
import { connect, type OpenDatabase } from './open.ts';

const log = createLog({ logLevel: 'silent' });
const folders: string[] = [];
let primary: EmbeddedPostgres;
let replica: EmbeddedPostgres;
let atReplica: pg.Client;
let open: OpenDatabase;

beforeAll(async () => {
  folders.push(await makeTemporaryFolder('primary'), await makeTemporaryFolder('replica'));
  const [one = '', two = ''] = folders;
  primary = await startEmbeddedPostgres({ dataDir: one });
  await primary.stop();
  expect(spawnSync('cp', ['-a', `${one}/.`, two]).status).toBe(0);
  const cluster = path.join(two, 'postgres', 'cluster');
  const { password, searchParams } = new URL(primary.connectionString.replace('@/', '@localhost/'));
  const line = `host=${searchParams.get('host')} port=5432 user=postgres password=${password}`;
  await appendFile(path.join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${line}'\n`);
  await writeFile(path.join(cluster, 'standby.signal'), '');
  await primary.start();
  replica = await startEmbeddedPostgres({ dataDir: two });
  open = await opened(replica.connectionString);
  await open.pools.owner.query('create table said (number int); grant select on said to parley_app');
  atReplica = new pg.Client({ connectionString: replica.connectionString });
  await atReplica.connect();
});

afterAll(async () => {
  await open.close();
  await atReplica.end().catch(() => undefined);
  await replica.stop();
  await primary.stop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const opened = (databaseReplicaUrl: string): Promise<OpenDatabase> =>
  connect(primary.connectionString, { databasePoolSize: 4, databaseReplicaUrl }, log);

/** What a read sees, and where it runs. */
const read = ({ database }: OpenDatabase) =>
  database.reading({}, async (tx) => {
    const { rows } = await tx.execute<{ last: number; onReplica: boolean }>(
      sql`select coalesce(max(number), 0) as last, pg_is_in_recovery() as "onReplica" from said`,
    );
    return rows[0];
  });

const say = (number: number) => open.pools.owner.query('insert into said values ($1)', [number]);

/** A busy machine may delay it for a moment. */
const untilReplica = () =>
  expect.poll(async () => (await read(open))?.onReplica, { timeout: 30_000, interval: 500 }).toBe(true);

test('a read goes to the replica and sees everything committed before it', async () => {
  await untilReplica();
  for (let number = 1; number <= 100; number += 1) {
    await say(number);
    expect(await read(open)).toMatchObject({ last: number });
  }
  await untilReplica();
});

test('a lagging replica is not waited for: reads go to the primary, and later to the replica again', async () => {
  await atReplica.query('select pg_wal_replay_pause()');
  await say(200);
  expect(await read(open)).toEqual({ last: 200, onReplica: false });
  await atReplica.query('select pg_wal_replay_resume()');
  await untilReplica();
  expect(await read(open)).toMatchObject({ last: 200 });
});

test('a replica that falls silent is bypassed, before a read and in the middle of one', async () => {
  const line = await DatabaseProxy.start(replica.connectionString);
  const settings = {
    databasePoolSize: 4,
    databaseReplicaUrl: line.addressOf(replica.connectionString),
    databaseTimeoutSeconds: 3,
  };
  const over = await connect(primary.connectionString, settings, log);
  const onReplica = async () => (await read(over))?.onReplica;
  const restIsOver = () => expect.poll(onReplica, { timeout: 30_000, interval: 500 }).toBe(true);
  try {
    await restIsOver();
    line.fault = 'stall';
    const began = performance.now();
    expect(await read(over)).toEqual({ last: 200, onReplica: false });
    // Its position is queried for one second, not for as long as a statement may take.
    expect(performance.now() - began).toBeLessThan(3000);
    line.fault = 'none';
    await restIsOver();
    let times = 0;
    const last = await over.database.reading({}, async (tx) => {
      times += 1;
      if (times === 1) line.fault = 'stall';
      const { rows } = await tx.execute<{ last: number }>(sql`select max(number) as last from said`);
      return rows[0]?.last;
    });
    expect({ last, times }).toEqual({ last: 200, times: 2 });
    line.fault = 'none';
    await restIsOver();
  } finally {
    await line.close();
    await over.close();
  }
});

test('a database that is not a replica is not read, as it may have diverged', async () => {
  const wrong = await opened(primary.connectionString);
  expect(await read(wrong)).toEqual({ last: 200, onReplica: false });
  await wrong.close();
});

test('a read cannot write, on the replica or the primary', async () => {
  const write = (on: OpenDatabase) => on.database.reading({}, (tx) => tx.execute(sql`delete from said`));
  await expect(write(open)).rejects.toThrow();
  const alone = await connect(primary.connectionString, { databasePoolSize: 2 }, log);
  await expect(write(alone)).rejects.toMatchObject({ cause: { code: '25006' } });
  await alone.close();
});

test('an agent’s numbers come from the replica and include what was said a moment before', async () => {
  const product = await startProduct(
    { databaseReplicaUrl: replica.connectionString },
    { reached: () => primary.connectionString },
  );
  try {
    const ada = product.as('ada');
    const { id: organizationId } = (await ada.organization.create({ name: 'Acme' })).organization;
    const { id: agentId } = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot;
    const bob = product.as('bob');
    const { id } = (await bob.chat.create({ chatbotId: agentId })).conversation;
    const numbers = async () =>
      (await ada.insight.get({ agentId, period: '7d', timeZone: 'UTC' })).insight.now;
    for (const count of [1, 2, 3]) {
      await bob.chat.send({ id, text: 'Hello' });
      expect(await numbers()).toMatchObject({ messages: count });
    }
    expect((await ada.endUser.list({ id: agentId })).users).toHaveLength(1);
    const readThere = async () => {
      await numbers();
      const { rows } = await atReplica.query(
        `select from pg_stat_activity where pid <> pg_backend_pid() and query = 'commit' and usename = 'postgres'
            and state_change > now() - interval '2 seconds'`,
      );
      return rows.length > 0;
    };
    await expect.poll(readThere, { timeout: 30_000, interval: 500 }).toBe(true);
  } finally {
    await product.close();
  }
});

test('the doctor says whether it is a replica and whether it is readable', async () => {
  const look = async (databaseReplicaUrl?: string) =>
    (await lookAtReplica({ databaseReplicaUrl })).map(({ level }) => level);
  expect(await look()).toEqual([]);
  await expect.poll(() => look(replica.connectionString)).toEqual(['ok']);
  expect(await look(primary.connectionString)).toEqual(['error']);
  expect(await look('postgres://nobody:nothing@127.0.0.1:1/none')).toEqual(['error']);
});

test('an unreachable replica is bypassed', async () => {
  await atReplica.end();
  await replica.stop();
  await say(300);
  expect(await read(open)).toEqual({ last: 300, onReplica: false });
  await replica.start();
});

test('the embedded database has no replica', () => {
  expect(() => readConfig({ DATABASE_REPLICA_URL: 'postgres://replica/parley' })).toThrow(
    'DATABASE_REPLICA_URL',
  );
});
