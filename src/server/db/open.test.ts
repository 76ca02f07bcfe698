import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { administer, withDatabase } from '../../../test/database-server.ts';
import { Server } from '../../../test/e2e/server.ts';
import { makeTemporaryFolder } from '../../../test/temporary-folder.ts';
import { readConfig } from '../config/config.ts';
import { createLog } from '../log.ts';
import { StartError } from '../start-error.ts';
import { EMBEDDED_LOCK } from './embedded-keeper.ts';
import { connect, explainStart, openDatabase, type OpenDatabase } from './open.ts';
import type { Database } from './scope.ts';

const log = createLog({ logLevel: 'silent' });
const server = inject('databaseUrl');
const name = `parley_open_${randomBytes(4).toString('hex')}`;
const url = withDatabase(server, name);
const open = (at = url): Promise<OpenDatabase> => connect(at, { databasePoolSize: 2 }, log);

beforeAll(() => administer(server, `create database ${name}`));
afterAll(() => administer(server, `drop database if exists ${name} with (force)`));

test('of five concurrent starts on an empty database one creates the tables, and all proceed', async () => {
  const opened = await Promise.all(Array.from({ length: 5 }, () => open()));
  for (const { database } of opened) {
    const { rows } = await database.owner.query<{ count: number }>(
      'select count(*)::int as count from agent',
    );
    expect(rows).toEqual([{ count: 0 }]);
  }
  await Promise.all(opened.map(({ close }) => close()));
});

test('a database of a newer version is left untouched', async () => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `insert into drizzle.__drizzle_migrations (hash, created_at) values ('future', 9999999999999)`,
  );
  await expect(open()).rejects.toThrow('written by a newer Parley');
  await client.query(`delete from drizzle.__drizzle_migrations where hash = 'future'`);
  await client.end();
});

test('a missing or unreachable database is named as such', async () => {
  await expect(open(withDatabase(server, 'no_such_database'))).rejects.toThrow('does not exist');
  await expect(open('postgres://nobody:nothing@127.0.0.1:1/none')).rejects.toBeInstanceOf(StartError);
});

test('a database that cannot store every text is named as such, with how to create one that can', async () => {
  const narrow = `${name}_narrow`;
  await administer(server, `create database ${narrow} encoding 'LATIN1' locale 'C' template template0`);
  await expect(open(withDatabase(server, narrow))).rejects.toThrow(/keeps text as LATIN1.* ENCODING 'UTF8'/);
  await administer(server, `drop database ${narrow} with (force)`);
});

test('a user who may not make tables is told to own the database, and then starts', async () => {
  const guest = `${name}_guest`;
  await administer(server, `create database ${guest}`);
  await administer(server, `create role ${guest} login password 'guest'`);
  await administer(server, `grant all on database ${guest} to ${guest}; grant parley_app to ${guest}`);
  const asGuest = withDatabase(server, guest).replace(/\/\/[^@]*@/, `//${guest}:guest@`);
  try {
    await expect(open(asGuest)).rejects.toThrow(
      /may not make tables \(permission denied for schema public\).*ALTER DATABASE .* OWNER TO/,
    );
    await administer(server, `alter database ${guest} owner to ${guest}`);
    await (await open(asGuest)).close();
  } finally {
    await administer(server, `drop database ${guest} with (force)`);
    await administer(server, `drop role ${guest}`);
  }
});

test('too few connections are named as such at every step of a start', async () => {
  const poor = `${name}_poor`;
  await administer(server, `create role ${poor} login password 'poor'`);
  await administer(server, `grant parley_app to ${poor}`);
  await administer(server, `create database ${poor} owner ${poor}`);
  const asPoor = withDatabase(server, poor).replace(/\/\/[^@]*@/, `//${poor}:poor@`);
  try {
    for (const limit of [1, 2, 3, 5]) {
      await administer(server, `alter role ${poor} connection limit ${limit}`);
      const failure = await Server.start({ DATABASE_URL: asPoor }).catch(String);
      expect(failure).toMatch(/The database has no connections left \(too many connections for role "\w+"\)/);
      expect(failure).not.toMatch(/^ +at /m);
    }
  } finally {
    await administer(server, `drop database ${poor} with (force)`);
    await administer(server, `drop role ${poor}`);
  }
});

test('a full disk during a migration is named as such, whoever queried the database', () => {
  const cause = Object.assign(new Error('could not extend file'), { code: '53100' });
  const failure = new Error('Failed query: create table', { cause });
  expect(explainStart(failure)).toEqual(new StartError('The database’s disk is full. Free some space.'));
  const unknown = new Error('Failed query: create table', { cause: new Error('nobody knows') });
  expect(explainStart(unknown)).toBe(unknown);
});

test('a file error is not blamed on the database', async () => {
  const failure: unknown = await readFile('/nowhere/at/all').catch((error: unknown) => error);
  expect(explainStart(failure)).toBe(failure);
});

test('a read-only database is named as such, and dropped for the one that replaced it', async () => {
  const opened = await open();
  await opened.database.owner.query(
    'create table noted (at timestamptz); grant insert on noted to parley_app',
  );
  const write = () => opened.database.in({}, (tx) => tx.$client.query('insert into noted values (now())'));
  const takeNone = (none: 'on' | 'off') =>
    administer(server, `alter database ${name} set default_transaction_read_only = ${none}`);
  await takeNone('on');
  await expect(open()).rejects.toThrow('The database of DATABASE_URL is not writable');
  await expect(write()).rejects.toMatchObject({ code: '25006' });
  await takeNone('off');
  await expect(write()).resolves.toMatchObject({ rowCount: 1 });
  await opened.close();
});

test('a scoped statement sees its scope and leaves none behind', async () => {
  const opened = await open();
  const seen = await opened.database.in({ organizationId: `o'; drop table agent; --` }, (tx) =>
    tx.$client.query<{ scope: string; role: string }>(
      `select current_setting('parley.organization') as scope, current_user as role`,
    ),
  );
  expect(seen.rows).toEqual([{ scope: `o'; drop table agent; --`, role: 'parley_app' }]);
  const after = await opened.database.unscoped.execute(
    `select current_setting('parley.organization', true) as scope`,
  );
  expect(after.rows).toEqual([{ scope: '' }]);
  await opened.close();
});

describe('the embedded database', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await makeTemporaryFolder('embedded');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const embedded = (dataDir: string): Promise<OpenDatabase> =>
    openDatabase({ ...readConfig({}), dataDir, databasePoolSize: 2 }, log);

  test('is used by one program at a time, keeps its data, and is not reachable over the network', async () => {
    const dataDir = path.join(folder, 'a data folder');
    const first = await embedded(dataDir);
    await first.database.owner.query('create table kept (what text); insert into kept values ($$this$$)');
    const { rows: listening } = await first.database.owner.query<{ listen_addresses: string }>(
      'show listen_addresses',
    );
    expect(listening).toEqual([{ listen_addresses: '' }]);
    await expect(embedded(dataDir)).rejects.toThrow('in use by another Parley');
    await first.close();
    const again = await embedded(dataDir);
    const { rows } = await again.database.owner.query('select what from kept');
    expect(rows).toEqual([{ what: 'this' }]);
    await again.close();
  });

  test('is not started beside one whose process is invisible, in another container', async () => {
    const dataDir = path.join(folder, 'shared');
    const opened = await embedded(dataDir);
    const pidFile = path.join(await realpath(path.join(dataDir, 'postgres')), 'cluster', 'postmaster.pid');
    const seen = await readFile(pidFile, 'utf8');
    // Process ids as seen from inside a container: nobody, and somebody else.
    for (const pid of ['2147483000', String(process.pid)]) {
      await writeFile(pidFile, `${pid}\n`);
      await expect(embedded(dataDir)).rejects.toThrow('in use by another Parley');
      expect(await readFile(pidFile, 'utf8')).toBe(`${pid}\n`);
    }
    await writeFile(pidFile, seen);
    await opened.close();
  });

  test('that fails to start says today’s reason and what to do', async () => {
    const dataDir = path.join(folder, 'broken');
    await (await embedded(dataDir)).close();
    const cluster = path.join(await realpath(path.join(dataDir, 'postgres')), 'cluster');
    const version = path.join(cluster, 'PG_VERSION');
    const written = await readFile(version, 'utf8');
    await writeFile(version, '17\n');
    await expect(embedded(dataDir)).rejects.toThrow(/another major version.*npx parley backup/);
    await writeFile(version, written);
    await chmod(cluster, 0o777);
    await expect(embedded(dataDir)).rejects.toThrow(/folder belongs to another user.*chmod 700/);
    await chmod(cluster, 0o700);
    const control = path.join(cluster, 'global/pg_control');
    await rename(control, `${control}.away`);
    await expect(embedded(dataDir)).rejects.toThrow('could not find the database system');
    await rename(`${control}.away`, control);
    const password = path.join(dataDir, 'postgres.password');
    await rename(password, `${password}.away`);
    await expect(embedded(dataDir)).rejects.toThrow(/postgres.password.* is missing/);
    await rename(`${password}.away`, password);
    await (await embedded(dataDir)).close();
  });

  test('is restarted after it dies, with everything that was committed', async () => {
    const dataDir = path.join(folder, 'dying');
    const opened = await embedded(dataDir);
    const { owner } = opened.database;
    await owner.query('create table kept (what text); insert into kept values ($$this$$)');
    const pidFile = path.join(await realpath(path.join(dataDir, 'postgres')), 'cluster', 'postmaster.pid');
    const pidOf = async () => Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
    const before = await pidOf();
    process.kill(before, 'SIGKILL');
    await expect.poll(pidOf, { timeout: 60_000 }).toSatisfy((pid: number) => pid > 0 && pid !== before);
    const read = () =>
      owner.query('select what from kept').then(
        ({ rows }) => rows as unknown,
        () => [],
      );
    await expect.poll(read, { timeout: 60_000 }).toEqual([{ what: 'this' }]);
    // Shortly after it is back.
    const isHeld = async () =>
      (
        await owner.query(`select from pg_locks where locktype = 'advisory' and objid = $1 and granted`, [
          EMBEDDED_LOCK,
        ])
      ).rowCount;
    await expect.poll(isHeld, { timeout: 60_000 }).toBe(1);
    await expect(embedded(dataDir)).rejects.toThrow('in use by another Parley');
    await opened.close();
  });

  test('stays with its program while it is down, whoever else starts', async () => {
    const dataDir = path.join(folder, 'claimed');
    const opened = await embedded(dataDir);
    const cluster = path.join(await realpath(path.join(dataDir, 'postgres')), 'cluster');
    const pid = Number.parseInt(await readFile(path.join(cluster, 'postmaster.pid'), 'utf8'), 10);
    // As long as this is missing, it can't be restarted.
    const control = path.join(cluster, 'global/pg_control');
    await rename(control, `${control}.away`);
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => opened.database.owner.query('select 1').catch(() => 'down')).toBe('down');
    await expect(embedded(dataDir)).rejects.toThrow('in use by another Parley');
    await rename(`${control}.away`, control);
    const isBack = () =>
      opened.database.owner.query('select 1').then(
        () => true,
        () => false,
      );
    await expect.poll(isBack, { timeout: 60_000 }).toBe(true);
    await expect(embedded(dataDir)).rejects.toThrow('in use by another Parley');
    await opened.close();
    await (await embedded(dataDir)).close();
  });

  test('gives background work a lower CPU priority', async () => {
    const opened = await embedded(path.join(folder, 'patient'));
    const priorityOf = async ({ unscoped }: Database) => {
      const { rows } = await unscoped.execute<{ pid: number }>('select pg_backend_pid() as pid');
      return rows.map(({ pid }) => getPriority(pid));
    };
    expect(await priorityOf(opened.background)).toEqual([10]);
    expect(await priorityOf(opened.database)).toEqual([0]);
    await opened.close();
  });

  test('stops with the program, even in the middle of a long statement', async () => {
    const dataDir = path.join(folder, 'busy');
    const opened = await embedded(dataDir);
    const pidFile = path.join(await realpath(path.join(dataDir, 'postgres')), 'cluster', 'postmaster.pid');
    const long = opened.background.in({}, (tx) => tx.execute('select pg_sleep(120)'));
    const ended = expect(long).rejects.toThrow();
    await expect.poll(() => readFile(pidFile, 'utf8')).toMatch(/ready/);
    await opened.close();
    await ended;
    await expect(readFile(pidFile)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('stops when a start fails', async () => {
    const dataDir = path.join(folder, 'newer');
    const first = await embedded(dataDir);
    await first.database.owner.query(
      `insert into drizzle.__drizzle_migrations (hash, created_at) values ('future', 9999999999999)`,
    );
    await first.close();
    await expect(embedded(dataDir)).rejects.toThrow('written by a newer Parley');
    const cluster = path.join(await realpath(path.join(dataDir, 'postgres')), 'cluster');
    await expect(readFile(path.join(cluster, 'postmaster.pid'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test.runIf(process.getuid?.() === 0)(
    'is placed elsewhere when root starts it in a folder that its own user cannot enter',
    async () => {
      const closed = path.join(folder, 'closed');
      await mkdir(closed);
      await chmod(closed, 0o700);
      const opened = await embedded(path.join(closed, 'data'));
      const place = path.join(closed, 'data', 'postgres');
      expect((await lstat(place)).isSymbolicLink()).toBe(true);
      await opened.close();
      await rm(await realpath(place), { recursive: true });
    },
  );
});
