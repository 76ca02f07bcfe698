import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAgentFile } from '../../../test/agent-file.ts';
import { startParley, type Running } from '../../../test/command-line.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { Server } from '../../../test/e2e/server.ts';
import { makeTemporaryFolder } from '../../../test/temporary-folder.ts';

/** What commands do to the embedded database, and if there is none yet. */

let folder: string;
let database: TestDatabase;
let backup: string;

beforeAll(async () => {
  folder = await makeTemporaryFolder('operations');
  backup = path.join(folder, 'one.backup');
  database = await createTestDatabase();
  const server = await Server.start({ SEED_DEMO: 'off', DATABASE_URL: database.url });
  const made = await run(['backup', backup], { DATABASE_URL: database.url, DATA_DIR: server.dataDir }).done;
  expect(made).toMatchObject({ exitCode: 0 });
  await server.remove();
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const run = (args: string[], env: Record<string, string>): Running =>
  startParley(args, { folder, env: { NODE_ENV: 'test', BILLING_MODE: 'off', SEED_DEMO: 'off', ...env } });

const isThere = (place: string): Promise<boolean> =>
  stat(place).then(
    () => true,
    () => false,
  );

const runsIn = (dataDir: string) => isThere(path.join(dataDir, 'postgres/cluster/postmaster.pid'));

test('an interrupted or failed restore stops the embedded database', async () => {
  const dataDir = path.join(folder, 'embedded');
  const restoring = run(['restore', backup], { DATA_DIR: dataDir });
  await expect.poll(() => isThere(path.join(dataDir, 'secret.key')), { timeout: 60_000 }).toBe(true);
  expect(await runsIn(dataDir)).toBe(true);
  restoring.interrupt();
  expect(await restoring.done).toMatchObject({ exitCode: 130 });
  expect(await runsIn(dataDir)).toBe(false);
  expect(await isThere(path.join(dataDir, 'secret.key'))).toBe(false);

  const damaged = path.join(folder, 'damaged.backup');
  const parts = await makeAgentFile.partsOf(await readFile(backup));
  const without = parts.filter(({ name }) => name !== 'tables/public.user.copy');
  await writeFile(damaged, makeAgentFile.zip(without));
  const failed = await run(['restore', damaged], { DATA_DIR: dataDir }).done;
  expect(failed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is missing') });
  expect(await runsIn(dataDir)).toBe(false);

  expect(await run(['restore', backup], { DATA_DIR: dataDir }).done).toMatchObject({ exitCode: 0 });
  expect(await runsIn(dataDir)).toBe(false);
});

test('a restore is refused while a server is running, and other requirements are named', async () => {
  const other = await createTestDatabase();
  const running = await Server.start({ SEED_DEMO: 'off', DATABASE_URL: other.url });
  const there = { DATABASE_URL: other.url, DATA_DIR: path.join(folder, 'beside') };
  const refused = await run(['restore', backup], there).done;
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Stop it') });
  await running.remove();
  // Its files are in a bucket this installation knows nothing about.
  const parts = (await makeAgentFile.partsOf(await readFile(backup))).map(({ name, content }) => ({
    name,
    content: String(content).replace('"storage":"included"', '"storage":"elsewhere"'),
  }));
  const elsewhere = path.join(folder, 'elsewhere.backup');
  await writeFile(elsewhere, makeAgentFile.zip(parts));
  const { exitCode, stdout } = await run(['restore', elsewhere], there).done;
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('STORAGE_URL of that bucket')]);
  await other.drop();
});

test('doctor creates nothing in an installation, and says what is missing', async () => {
  const there = { DATABASE_URL: database.url, DATA_DIR: path.join(folder, 'not there') };
  const previous = { ...there, SECRET_KEY_PREVIOUS: 'a secret that is long enough for a test of it' };
  for (const env of [there, previous]) {
    const { exitCode, stdout } = await run(['doctor'], env).done;
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/not there does not exist yet/)]);
    expect(stdout).toContain('for files does not exist: the next start creates it');
    expect(stdout).toContain('secret.key does not exist: the next start creates a key');
  }
  expect(await readdir(folder)).not.toContain('not there');
});
