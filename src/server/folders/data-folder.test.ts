import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../../test/temporary-folder.ts';
import { asDataFolderError, makeDataFolder } from './data-folder.ts';
import { StartError } from '../start-error.ts';
import { openStorage } from '../storage/open.ts';

/** Nothing can be created here, and the system reports that the folder does not exist. */
const withoutRoom = process.platform === 'linux' ? ['/proc/data', '/proc/data/inner'] : [];

test('an unwritable data folder aborts the start with advice, and other errors are unchanged', async () => {
  const folder = await makeTemporaryFolder('data-folder');
  const file = path.join(folder, 'file');
  await writeFile(file, '');
  for (const dataDir of [file, path.join(file, 'data'), ...withoutRoom]) {
    const error: unknown = await makeDataFolder(dataDir).catch((reason: unknown) =>
      asDataFolderError(reason, dataDir),
    );
    expect(error).toBeInstanceOf(StartError);
    expect(String(error)).toMatch(/cannot be written \(E.*set DATA_DIR/);
  }
  const full = Object.assign(new Error('write'), { code: 'ENOSPC', path: path.join(folder, 'secret.key') });
  expect(String(asDataFolderError(full, folder))).toContain('is full. Free some space');
  const elsewhere: unknown = await mkdir(path.join(file, 'x')).catch((reason: unknown) => reason);
  expect(asDataFolderError(elsewhere, path.join(folder, 'data'))).toBe(elsewhere);
  // A sibling folder whose name has the same prefix.
  expect(asDataFolderError(full, path.join(folder, 'sec'))).toBe(full);
  await rm(folder, { recursive: true });
});

test('an unwritable STORAGE_URL folder aborts the start with an explanation', async () => {
  const folder = await makeTemporaryFolder('storage-folder');
  const file = path.join(folder, 'file');
  await writeFile(file, '');
  for (const place of [path.join(file, 'files'), ...withoutRoom]) {
    const error: unknown = await openStorage(place, folder).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StartError);
    expect(String(error)).toContain(`The folder ${place} of STORAGE_URL cannot be written (E`);
  }
  await rm(folder, { recursive: true });
});
