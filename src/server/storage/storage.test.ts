import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startS3, type LocalS3 } from '../../../test/stand-ins/s3.ts';
import { makeTemporaryFolder } from '../../../test/temporary-folder.ts';
import { openStorage } from './open.ts';
import type { Storage } from './storage.ts';

/** What every storage must satisfy, whatever backs it. */

const key = 'fil_01k7z3v9w2e8xr4mbc5d6f7g8h';
const other = 'fil_01k7z3v9w2e8xr4mbc5d6f7gzz';
const notFound = { code: 'resource/not-found' };

let folder: string;
let s3: LocalS3;
beforeEach(async () => {
  folder = await makeTemporaryFolder('storage');
  s3 = await startS3();
});
afterEach(async () => {
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

async function streamed(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(pieces)).toString();
}

const kinds: [string, () => Promise<Storage>][] = [
  ['the disk', () => openStorage(path.join(folder, 'files'), folder)],
  ['S3', () => openStorage(s3.url, folder)],
];

describe.each(kinds)('%s', (_kind, open) => {
  let storage: Storage;
  beforeEach(async () => {
    storage = await open();
  });

  test('returns what was stored, even empty or large, until it is removed, and removal is repeatable', async () => {
    const large = Buffer.alloc(9_000_000, 'abcdefg');
    await storage.put(key, Buffer.from('one'));
    await storage.put(key, large);
    await storage.put(other, Buffer.alloc(0));
    expect((await storage.get(key)).equals(large)).toBe(true);
    expect(await storage.get(other)).toHaveLength(0);
    expect(await streamed(await storage.stream(key))).toBe(large.toString());
    expect(await streamed(await storage.stream(other))).toBe('');
    await storage.remove(key);
    await storage.remove(key);
    await expect(storage.get(key)).rejects.toMatchObject(notFound);
    await expect(storage.stream(key)).rejects.toMatchObject(notFound);
    expect(await storage.get(other)).toHaveLength(0);
  });

  test.each(['', '.', '..', '/', './', '//', '\\'])(
    'refuses its root, written as %j, as a key',
    async (root) => {
      const refused = { code: 'storage/invalid-root-operation' };
      await expect(storage.get(root)).rejects.toMatchObject(refused);
      await expect(storage.stream(root)).rejects.toMatchObject(refused);
      await expect(storage.remove(root)).rejects.toMatchObject(refused);
      await expect(storage.put(root, Buffer.from('x'))).rejects.toMatchObject(refused);
      await expect(storage.drafts.append(root, 0, Buffer.from('x'))).rejects.toMatchObject(refused);
      await expect(storage.drafts.read(root, 1)).rejects.toMatchObject(refused);
      await expect(storage.drafts.remove(root)).rejects.toMatchObject(refused);
    },
  );

  test.each(['../outside', 'drafts/12345678', 'fil_0123/../x', 'fil_01234567\u0000', '%2e%2e/outside'])(
    'finds nothing under %j',
    async (odd) => {
      await expect(storage.get(odd)).rejects.toMatchObject(notFound);
      await expect(storage.stream(odd)).rejects.toMatchObject(notFound);
      await expect(storage.put(odd, Buffer.from('x'))).rejects.toMatchObject(notFound);
      await expect(storage.remove(odd)).rejects.toMatchObject(notFound);
      await expect(storage.drafts.append(odd, 0, Buffer.from('x'))).rejects.toMatchObject(notFound);
    },
  );

  test('a draft grows piece by piece, is read from its start, and is not a file', async () => {
    await storage.drafts.append(key, 0, Buffer.from('one '));
    await storage.drafts.append(key, 4, Buffer.from('two '));
    await storage.drafts.append(key, 8, Buffer.from('three'));
    expect((await storage.drafts.read(key, 13)).toString()).toBe('one two three');
    expect((await storage.drafts.read(key, 6)).toString()).toBe('one tw');
    for (const size of [13, 6])
      expect(await streamed(storage.drafts.stream(key, size))).toBe('one two three'.slice(0, size));
    await expect(streamed(storage.drafts.stream(key, 14))).rejects.toMatchObject({
      code: 'resource/conflict',
    });
    await expect(storage.get(key)).rejects.toMatchObject(notFound);
    await expect(storage.drafts.read(key, 14)).rejects.toMatchObject({ code: 'resource/conflict' });
  });

  test('a rewritten piece replaces the unacknowledged one, whatever its length', async () => {
    await storage.drafts.append(key, 0, Buffer.from('one '));
    await storage.drafts.append(key, 4, Buffer.from('lost and long'));
    await storage.drafts.append(key, 4, Buffer.from('two'));
    await expect(storage.drafts.read(key, 8)).rejects.toMatchObject({ code: 'resource/conflict' });
    await storage.drafts.append(key, 7, Buffer.from('!'));
    expect((await storage.drafts.read(key, 8)).toString()).toBe('one two!');
  });

  test('a piece beyond the end is refused and leaves the draft unchanged', async () => {
    await storage.drafts.append(key, 0, Buffer.from('one'));
    await expect(storage.drafts.append(key, 5, Buffer.from('x'))).rejects.toMatchObject({
      code: 'resource/conflict',
    });
    expect((await storage.drafts.read(key, 3)).toString()).toBe('one');
  });

  test('a removed draft is gone, but not its neighbor or the file of the same name', async () => {
    await storage.put(key, Buffer.from('file'));
    await storage.drafts.append(key, 0, Buffer.from('one'));
    await storage.drafts.append(other, 0, Buffer.from('two'));
    await storage.drafts.remove(key);
    await storage.drafts.remove(key);
    await expect(storage.drafts.read(key, 3)).rejects.toMatchObject({
      code: expect.stringMatching(/not-found|conflict/),
    });
    expect((await storage.drafts.read(other, 3)).toString()).toBe('two');
    expect((await storage.get(key)).toString()).toBe('file');
  });
});
