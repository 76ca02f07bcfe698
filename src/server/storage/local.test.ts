import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../../test/temporary-folder.ts';
import { openLocalStorage } from './local.ts';
import type { Storage } from './storage.ts';

const key = 'fil_01k7z3v9w2e8xr4mbc5d6f7g8h';
let parent: string;
let folder: string;
let storage: Storage;

beforeEach(async () => {
  parent = await makeTemporaryFolder('storage');
  folder = path.join(parent, 'files');
  storage = await openLocalStorage(folder);
  await writeFile(path.join(parent, 'outside.txt'), 'outside');
});
afterEach(() => rm(parent, { recursive: true, force: true }));

const filesIn = async (place: string) =>
  (await readdir(place, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
const modeOf = async (...parts: string[]) =>
  ((await stat(path.join(folder, ...parts))).mode & 0o777).toString(8);

test('a stored file is returned until it is removed, and removal is repeatable', async () => {
  await storage.put(key, Buffer.from('one'));
  await storage.put(key, Buffer.from('two'));
  expect((await storage.get(key)).toString()).toBe('two');
  await storage.remove(key);
  await storage.remove(key);
  await expect(storage.get(key)).rejects.toMatchObject({ code: 'resource/not-found' });
});

test('only the server’s own user can read the files', async () => {
  await storage.put(key, Buffer.from('x'));
  expect([await modeOf(), await modeOf('8h'), await modeOf('8h', key)]).toEqual(['700', '700', '600']);
});

test.each(['', '.', '..', '/', './', '//', '\\'])(
  'the root, written as %j, is refused as a key',
  async (root) => {
    const refused = { code: 'storage/invalid-root-operation' };
    await expect(storage.get(root)).rejects.toMatchObject(refused);
    await expect(storage.remove(root)).rejects.toMatchObject(refused);
    await expect(storage.put(root, Buffer.from('x'))).rejects.toMatchObject(refused);
  },
);

test.each([
  '../outside.txt',
  '../../etc/passwd',
  'a/../../outside.txt',
  '/etc/passwd',
  '..%2foutside.txt',
  '%2e%2e/outside',
  '..\\outside.txt',
  'C:\\outside.txt',
  'unfinished/12345678',
  'fil_0123/../x',
  'fil_01234567\u0000.txt',
  'fil_01234567\n',
  ' fil_01234567',
  '.fil_01234567',
  '-fil_01234567',
  'FIL_01234567',
  'short',
  'con',
  'a'.repeat(129),
  'fil_0123456é',
  'x:stream789',
])('the key %j is not found', async (odd) => {
  const refused = { code: 'resource/not-found' };
  await expect(storage.get(odd)).rejects.toMatchObject(refused);
  await expect(storage.remove(odd)).rejects.toMatchObject(refused);
  await expect(storage.put(odd, Buffer.from('x'))).rejects.toMatchObject(refused);
  expect(await filesIn(parent)).toEqual(['outside.txt']);
});

test('a reader sees the old bytes or the new ones, never a mix', async () => {
  const versions = ['a', 'b', 'c', 'd'].map((letter) => Buffer.alloc(3_000_000, letter));
  await storage.put(key, Buffer.alloc(3_000_000, 'z'));
  const state = { isWriting: true };
  const writing = Promise.all(versions.map((version) => storage.put(key, version))).finally(
    () => (state.isWriting = false),
  );
  do {
    const seen = await storage.get(key);
    expect([seen.length, seen.every((byte) => byte === seen[0])]).toEqual([3_000_000, true]);
  } while (state.isWriting);
  await writing;
  expect(await filesIn(folder)).toEqual([key]);
});

test('a failed write leaves the old bytes and nothing else', async () => {
  await storage.put(key, Buffer.from('old'));
  const blocked = 'fil_01k7z3v9w2e8xr4mbc5d6f7gzz';
  await mkdir(path.join(folder, 'zz', blocked, 'in-the-way'), { recursive: true });
  await expect(storage.put(blocked, Buffer.from('new'))).rejects.toThrow();
  expect(await filesIn(folder)).toEqual([key]);
  expect(await readFile(path.join(folder, '8h', key), 'utf8')).toBe('old');
});

test('leftovers of a crash are removed at the next start, but not files being written', async () => {
  const old = path.join(folder, 'unfinished', 'old');
  await writeFile(old, 'x');
  await utimes(old, new Date(0), new Date(0));
  await writeFile(path.join(folder, 'unfinished', 'new'), 'x');
  await openLocalStorage(folder);
  expect(await filesIn(folder)).toEqual(['new']);
});
