import { spawnSync } from 'node:child_process';
import { realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../../test/temporary-folder.ts';
import { createLog } from '../log.ts';
import { withDatabase } from '../operations/open.ts';
import { keepEmbedded } from './embedded-keeper.ts';
import { startEmbeddedPostgres } from './embedded.ts';

async function folderOf(connectionString: string): Promise<string> {
  const client = new pg.Client(connectionString);
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  await client.end();
  return realpath(rows[0]?.data_directory ?? '');
}

test('a copy of a data folder that is in use starts a database of its own, and leaves the other alone', async () => {
  const folder = await makeTemporaryFolder('copied');
  const [original, copy] = [path.join(folder, 'original'), path.join(folder, 'copy')];
  const first = await startEmbeddedPostgres({ dataDir: original, unsafeFast: true });
  spawnSync('cp', ['-a', original, copy]);
  const second = await startEmbeddedPostgres({ dataDir: copy, unsafeFast: true });
  expect(await folderOf(second.connectionString)).toBe(await realpath(path.join(copy, 'postgres/cluster')));
  await second.stop();
  expect(await folderOf(first.connectionString)).toBe(
    await realpath(path.join(original, 'postgres/cluster')),
  );
  await first.stop();
  await rm(folder, { recursive: true });
});

test('a program that has claimed it keeps it, even while it holds no lock, as just after a restart', async () => {
  const dataDir = await makeTemporaryFolder('claimed');
  const embedded = await startEmbeddedPostgres({ dataDir, unsafeFast: true });
  const release = await embedded.claim();
  const second = await startEmbeddedPostgres({ dataDir, unsafeFast: true });
  await expect(keepEmbedded(second, dataDir, createLog({ logLevel: 'silent' }))).rejects.toThrow(
    'in use by another Parley',
  );
  // A command works beside it, and leaves it running.
  const folder = await withDatabase({ databaseUrl: undefined, dataDir }, folderOf);
  expect(await folderOf(embedded.connectionString)).toBe(folder);
  release();
  await embedded.stop();
  await rm(dataDir, { recursive: true });
});
