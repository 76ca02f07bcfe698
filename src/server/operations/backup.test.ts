import { spawn, spawnSync } from 'node:child_process';
import { link, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAgentFile } from '../../../test/agent-file.ts';
import { registerInBrowser, type BrowserClient } from '../../../test/browser-client.ts';
import { connect } from '../../../test/client.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { Server } from '../../../test/e2e/server.ts';
import { startProduct } from '../../../test/product.ts';
import { startS3 } from '../../../test/stand-ins/s3.ts';
import { makeTemporaryFolder } from '../../../test/temporary-folder.ts';
import { migrateTo } from '../db/migrate.ts';
import { partOf } from './contents.ts';
import { BACKUP_LOCK } from '../storage/backup-lock.ts';

/** A server under load is backed up and killed, and another one starts from its backup. */

let server: Server;
let ada: BrowserClient;
let folder: string;
let database: TestDatabase;
let backup: string;
/** A message of it that has a file. */
let kept: { id: string; attachmentId: string };

beforeAll(async () => {
  folder = await makeTemporaryFolder('backup');
  backup = path.join(folder, 'one.backup');
  database = await createTestDatabase();
  server = await Server.start({ SEED_DEMO: 'off', DATABASE_URL: database.url });
  ada = await registerInBrowser(server.url, 'ada');
});
afterAll(async () => {
  await server.remove();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

interface Ran {
  code: number;
  output: string;
}

const parley = (args: string[], environment: Record<string, string>): Promise<Ran> =>
  begin(args, environment).ended;

function begin(args: string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, ['src/cli/parley.mjs', ...args], {
    env: { ...process.env, NODE_ENV: 'test', BILLING_MODE: 'off', SEED_DEMO: 'off', ...environment },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)));
  const ended = new Promise<Ran>((resolve) => {
    child.on('exit', (code) => resolve({ code: code ?? 1, output }));
  });
  return { ended, stop: () => child.kill('SIGTERM') };
}

const here = () => ({ DATABASE_URL: database.url, DATA_DIR: server.dataDir });

test('a backup made under load has every write acknowledged before it, and a server starts from it', async () => {
  const { client } = ada;
  const organizationId = (await client.organization.create({ name: 'Acme' })).organization.id;
  const { id: agentId } = (await client.chatbot.create({ organizationId, name: 'Helper' })).chatbot;
  const { id } = (await client.chat.create({ chatbotId: agentId })).conversation;
  const media = new File(['The shop closes at nine.'], 'hours.txt', { type: 'text/plain' });
  const { attachment } = await client.attachment.add({ id, media });
  kept = { id, attachmentId: attachment.id };
  const said: string[] = [];
  const over = new AbortController();
  const load = (async () => {
    for (let count = 0; !over.signal.aborted; count += 1) {
      const text = `Question ${count}`;
      await client.chat.send({ id, text });
      said.push(text);
      if (count < 50) await client.attachment.add({ id, media });
    }
  })();
  await expect.poll(() => said.length, { timeout: 60_000 }).toBeGreaterThan(3);
  const before = [...said];
  expect(await parley(['backup', backup], here())).toMatchObject({ code: 0 });
  over.abort();
  await load;
  expect((await parley(['backup', backup], here())).output).toContain('already exists');
  await server.kill('SIGKILL');

  const other = await createTestDatabase();
  const dataDir = path.join(folder, 'data');
  const there = { DATABASE_URL: other.url, DATA_DIR: dataDir };
  const restored = await parley(['restore', backup], there);
  expect(restored.output).toContain('Restored as of');
  expect(restored.code).toBe(0);
  expect((await parley(['restore', backup], there)).output).toContain('is not empty');
  const second = await Server.start({ ...there, SEED_DEMO: 'off' }, { dataDir });
  try {
    const again = await registerInBrowser(second.url, 'visitor');
    const asAda = connect({ baseUrl: second.url, token: ada.token });
    const { messages } = await asAda.chat.listMessages({ id, count: 100 });
    expect(messages.map(({ text }) => text)).toEqual(expect.arrayContaining(before));
    expect(messages.every(({ state }) => state !== 'streaming')).toBe(true);
    const { data } = await asAda.attachment.content({ id, attachmentId: attachment.id });
    expect(await (await fetch(data)).text()).toBe('The shop closes at nine.');
    await again.client.organization.create({ name: 'New' });
    expect((await parley(['doctor'], there)).output).toContain('Files can be written, read and removed.');
  } finally {
    await second.kill('SIGTERM');
    await other.drop();
  }
});

test('no file is deleted during a backup, and pending deletions follow afterwards', async () => {
  const product = await startProduct();
  const { storage, db } = product.app.deps;
  const isThere = () =>
    storage.get('kept-while-backed-up').then(
      () => true,
      () => false,
    );
  await storage.put('kept-while-backed-up', Buffer.from('one'));
  const lock = await db.owner.connect();
  await lock.query('select pg_advisory_lock($1)', [BACKUP_LOCK]);
  await storage.remove('kept-while-backed-up');
  expect(await isThere()).toBe(true);
  await lock.query('select pg_advisory_unlock($1)', [BACKUP_LOCK]);
  lock.release();
  await expect.poll(isThere).toBe(false);
  await product.close();
});

/** A database from several versions ago, with one person in it. */
async function makeOlder(): Promise<TestDatabase> {
  const older = await createTestDatabase();
  const journal = await readFile('src/server/db/migrations/meta/_journal.json', 'utf8');
  const { entries } = JSON.parse(journal) as { entries: { when: number }[] };
  const client = new pg.Client({ connectionString: older.url });
  await client.connect();
  await migrateTo(client, entries.at(-4)?.when ?? 0);
  await client.query(
    `insert into "user" (id, name, profile_photo, is_anonymous)
     values ('usr_01jd0000000000000000000000', 'Grace', '/images/guest.svg', true)`,
  );
  await client.end();
  return older;
}

const namesIn = async (url: string, query = 'select name from "user"'): Promise<string[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(query);
  await client.end();
  return rows.map(({ name }) => name);
};

test('an upgrade first makes a backup from which the older version can be restored', async () => {
  const older = await makeOlder();
  const dataDir = path.join(folder, 'upgraded');
  const SECRET_KEY = 'a secret that is long enough for a test of it';
  // As many as are kept: leftovers of killed processes are nothing to go back to.
  await mkdir(path.join(dataDir, 'backups'), { recursive: true });
  for (const year of [2021, 2022, 2023])
    await writeFile(path.join(dataDir, 'backups', `upgrade-${year}.backup.unfinished`), 'half');
  const upgraded = await Server.start({ DATABASE_URL: older.url, SEED_DEMO: 'off', SECRET_KEY }, { dataDir });
  await upgraded.kill('SIGTERM');
  const [made = '', ...more] = await readdir(path.join(dataDir, 'backups'));
  expect(more).toEqual([]);
  await upgraded.startAgain();
  await upgraded.kill('SIGTERM');
  expect(await readdir(path.join(dataDir, 'backups'))).toEqual([made]);
  expect(await namesIn(older.url)).toEqual(['Grace']);

  const other = await createTestDatabase();
  const there = { DATABASE_URL: other.url, DATA_DIR: path.join(folder, 'again'), SECRET_KEY };
  // A backup without files, whose rows can't be read, must not affect anybody else's files.
  const foreign = path.join(there.DATA_DIR, 'files/foreign');
  await mkdir(path.dirname(foreign), { recursive: true, mode: 0o700 });
  await writeFile(foreign, 'Mine.');
  const broken = await parley(['restore', await damagedCopy(path.join(dataDir, 'backups', made))], there);
  expect([broken.code, broken.output]).toEqual([1, expect.stringContaining('damaged')]);
  expect(await readFile(foreign, 'utf8')).toBe('Mine.');
  await rm(there.DATA_DIR, { recursive: true });
  const { output } = await parley(['restore', path.join(dataDir, 'backups', made)], there);
  expect(output).toContain('Restored as of');
  // Nobody else may read it.
  expect((await stat(there.DATA_DIR)).mode & 0o066).toBe(0);
  expect(await namesIn(other.url)).toEqual(['Grace']);
  const again = await Server.start({ ...there, SEED_DEMO: 'off' }, { dataDir: there.DATA_DIR });
  expect(await namesIn(other.url)).toEqual(['Grace']);
  await again.kill('SIGTERM');
  await Promise.all([older.drop(), other.drop()]);
});

test('a backup can be restored on any later day, even with the queue’s own statistics', async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const day = 'queue_stats_20200101';
  await client.query(
    `create table pgboss.${day} partition of pgboss.queue_stats for values from ('2020-01-01') to ('2020-01-02')`,
  );
  await client.end();
  const made = path.join(folder, 'day.backup');
  expect((await parley(['backup', made], here())).code).toBe(0);
  const parts = await makeAgentFile.partsOf(await readFile(made));
  expect(parts.map(({ name }) => name).join()).not.toContain('queue_stats');
  const old = path.join(folder, 'old.backup');
  const table = { schema: 'pgboss', name: day, columns: ['name'], rows: 0 };
  const withDay = parts.map(({ name, content }) => {
    if (name !== 'manifest.json') return { name, content };
    const manifest = JSON.parse(String(content)) as { tables: object[] };
    return { name, content: JSON.stringify({ ...manifest, tables: [...manifest.tables, table] }) };
  });
  await writeFile(old, makeAgentFile.zip([{ name: partOf(table), content: '' }, ...withDay]));
  for (const [index, file] of [made, old].entries()) {
    const other = await createTestDatabase();
    const there = { DATABASE_URL: other.url, DATA_DIR: path.join(folder, `day-${index}`) };
    expect((await parley(['restore', file], there)).output).toContain('Restored as of');
    await other.drop();
  }
});

/** A copy with unreadable rows. */
async function damagedCopy(file: string): Promise<string> {
  const bytes = await readFile(file);
  const part = partOf({ schema: 'public', name: 'user' });
  const place = bytes.indexOf(part) + part.length;
  expect(place).toBeGreaterThan(part.length);
  bytes.fill(0xff, place + 8, place + 40);
  const damaged = path.join(folder, 'damaged.backup');
  await writeFile(damaged, bytes);
  return damaged;
}

test('a failed restore leaves everything unchanged, and the next one succeeds', async () => {
  const other = await createTestDatabase();
  const dataDir = path.join(folder, 'taken');
  const there = { DATABASE_URL: other.url, DATA_DIR: dataDir };
  await mkdir(dataDir);
  const foreign = path.join(dataDir, 'secret.key');
  await writeFile(foreign, 'another key');
  const refused = await parley(['restore', backup], there);
  expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('is another key')]);
  expect(await readFile(foreign, 'utf8')).toBe('another key');
  await rm(foreign);

  const broken = await parley(['restore', await damagedCopy(backup)], there);
  expect([broken.code, broken.output]).toEqual([1, expect.stringContaining('damaged')]);
  expect(broken.output).not.toMatch(/^\s+at /m);
  expect(await readdir(dataDir)).toEqual([]);

  const { code, output } = await parley(['restore', backup], there);
  expect([code, output]).toEqual([0, expect.stringContaining('Restored as of')]);
  await other.drop();
});

/** Locks this table for now, so that readers and truncations wait. */
async function holdTable(url: string, table: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`begin; lock table ${table} in access exclusive mode`);
  return client;
}

test('an interrupted backup leaves no file behind, and a completed one states its snapshot time', async () => {
  const holder = await holdTable(database.url, '"user"');
  const file = path.join(folder, 'interrupted.backup');
  const interrupted = begin(['backup', file], here());
  await expect.poll(() => readdir(folder), { timeout: 60_000 }).toContain('interrupted.backup.unfinished');
  interrupted.stop();
  expect((await interrupted.ended).code).toBe(130);
  expect((await readdir(folder)).filter((name) => name.startsWith('interrupted'))).toEqual([]);

  // Planted by somebody who can read it.
  const laid = path.join(folder, 'laid');
  await writeFile(laid, 'Mine.');
  await link(laid, `${file}.unfinished`);
  const isOwn = async () => (await stat(`${file}.unfinished`).catch(() => undefined))?.nlink === 1;
  const slow = begin(['backup', file], here());
  await expect.poll(isOwn, { timeout: 60_000 }).toBe(true);
  const later = Date.now();
  await holder.end();
  const { code, output } = await slow.ended;
  expect(code).toBe(0);
  const [, asOf = ''] = /as of (\S+)\.\n/.exec(output) ?? [];
  expect(Date.parse(asOf)).toBeLessThanOrEqual(later);
  expect(await readFile(laid, 'utf8')).toBe('Mine.');
});

test('an interrupted restore leaves the target empty, so that the next one succeeds', async () => {
  const other = await createTestDatabase();
  const dataDir = path.join(folder, 'interrupted');
  const there = { DATABASE_URL: other.url, DATA_DIR: dataDir };
  const restoring = begin(['restore', backup], there);
  await expect.poll(() => readdir(dataDir).catch(() => []), { timeout: 60_000 }).toContain('secret.key');
  const holder = await holdTable(other.url, '"user"');
  const heldUp = `select 'one' as name from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  await expect.poll(() => namesIn(other.url, heldUp), { timeout: 60_000 }).not.toEqual([]);
  restoring.stop();
  expect(await restoring.ended).toMatchObject({ code: 130 });
  expect(await readdir(dataDir)).toEqual([]);
  await holder.end();
  const { code, output } = await parley(['restore', backup], there);
  expect([code, output]).toEqual([0, expect.stringContaining('Restored as of')]);
  await other.drop();
});

test('files of a folder are restored into a bucket, and a refused restore can be repeated', async () => {
  const [s3, other] = await Promise.all([startS3(), createTestDatabase()]);
  const dataDir = path.join(folder, 'with-bucket');
  const there = { DATABASE_URL: other.url, DATA_DIR: dataDir, STORAGE_URL: s3.url };
  s3.state = 'closed';
  const refused = await parley(['restore', backup], there);
  expect([refused.code, refused.output]).toEqual([
    1,
    expect.stringMatching(/did not take files\/.* 403 Acc/),
  ]);
  expect(await readdir(dataDir)).toEqual([]);
  s3.state = 'well';
  const { code, output } = await parley(['restore', backup], there);
  expect([code, output]).toEqual([0, expect.stringContaining('Restored as of')]);
  const second = await Server.start({ ...there, SEED_DEMO: 'off' }, { dataDir });
  const asAda = connect({ baseUrl: second.url, token: ada.token });
  const { data } = await asAda.attachment.content(kept);
  expect(await (await fetch(data)).text()).toBe('The shop closes at nine.');
  expect(await readdir(dataDir)).not.toContain('files');
  await second.kill('SIGTERM');
  await Promise.all([s3.close(), other.drop()]);
});

test('a backup without enough disk space says so and leaves nothing behind', async (context) => {
  const disk = path.join(folder, 'small');
  await mkdir(disk);
  const isSmall = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'parley-test', disk]).status === 0;
  if (!isSmall) return context.skip('Only root can make a small disk.');
  const file = path.join(disk, 'one.backup');
  const ran = await parley(['backup', file], here());
  const left = await readdir(disk);
  spawnSync('umount', [disk]);
  expect(ran).toEqual({
    code: 1,
    output: `The disk for the backup ${file} is full. Nothing was left behind.\n`,
  });
  expect(left).toEqual([]);
});

test('a command that is not understood does nothing', async () => {
  const before = await readdir('.');
  const none = path.join(folder, 'no such.backup');
  const told = [
    [['backup', '--help'], 0, /^Usage/],
    [['backup', '--full'], 2, /^Usage/],
    [['restore'], 2, /^Usage/],
    [['doctor', 'all'], 2, /^Usage/],
    [['restore', none], 1, /^ENOENT: .*no such\.backup/],
  ] as const;
  const ran = told.map(([args]) => parley([...args], here()));
  for (const [at, [, code, output]] of told.entries())
    expect(await ran[at]).toEqual({ code, output: expect.stringMatching(output) });
  expect(await readdir('.')).toEqual(before);
});

test('an invalid or incomplete backup changes nothing', async () => {
  const other = await createTestDatabase();
  const dataDir = path.join(folder, 'empty');
  const there = { DATABASE_URL: other.url, DATA_DIR: dataDir };
  const broken = path.join(folder, 'broken.backup');
  await writeFile(broken, 'PK no zip');
  const { code, output } = await parley(['restore', broken], there);
  expect([code, output]).toEqual([1, expect.stringContaining('is not a Parley backup')]);
  expect(await readdir(dataDir).catch(() => [])).toEqual([]);
  const none = { ...there, DATABASE_URL: 'postgres://127.0.0.1:1/none' };
  expect(await parley(['backup', path.join(folder, 'none.backup')], none)).toEqual({
    code: 1,
    output: 'The database of DATABASE_URL cannot be reached (ECONNREFUSED).\n',
  });
  expect(await readdir(folder)).not.toContain('none.backup.unfinished');
  const below = await parley(['backup', path.join(broken, 'below.backup')], here());
  expect([below.code, below.output]).toEqual([1, expect.stringMatching(/^E\w+: .*below|^E\w+: .*broken/)]);
  expect(below.output).not.toMatch(/^\s+at /m);
  const nowhere = { DATABASE_URL: '', DATA_DIR: path.join(folder, 'nowhere') };
  for (const command of ['backup', 'doctor'])
    expect((await parley([command], nowhere)).output).toContain('No installation was found in');
  expect(await readdir(folder)).not.toContain('nowhere');
  await other.drop();
});
