import { constants } from 'node:fs';
import { open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { UPLOAD_LIFETIME_HOURS } from '../../contract/limits.ts';
import { makeFolders } from '../folders/make-folders.ts';
import { explained, syncFolder } from './disk.ts';
import { draftIsShort, requireKey, type Drafts } from './storage.ts';

/** An upload has expired by then, and an active one would have been written to since: its row went with its organization. */
const ABANDONED_AFTER_MS = (UPLOAD_LIFETIME_HOURS + 1) * 3_600_000;

/** The chunk size in memory when a draft is streamed. */
const PIECE_BYTES = 1024 * 1024;

/** Each draft is a single growing file. */
export async function openLocalDrafts(folder: string): Promise<Drafts> {
  await makeFolders(folder, 0o700);
  await removeAbandoned(folder);
  const placeOf = (key: string): string => path.join(folder, requireKey(key));
  return {
    append: async (key, at, data) => {
      const place = placeOf(key);
      const handle = await open(place, constants.O_RDWR | constants.O_CREAT, 0o600).catch(explain);
      try {
        await appendTo(handle, at, data).catch(explain);
      } finally {
        await handle.close();
      }
      if (at === 0) await syncFolder(folder);
    },
    read: async (key, size) => {
      const handle = await open(placeOf(key), 'r').catch(explain);
      try {
        return await readWhole(handle, size);
      } finally {
        await handle.close();
      }
    },
    stream: (key, size) => pieces(placeOf(key), size),
    remove: async (key) => rm(placeOf(key), { force: true }),
  };
}

async function appendTo(handle: FileHandle, at: number, data: Uint8Array): Promise<void> {
  const { size } = await handle.stat();
  if (size < at) throw draftIsShort();
  if (size > at) await handle.truncate(at);
  try {
    for (let done = 0; done < data.length;) {
      const { bytesWritten } = await handle.write(data, done, data.length - done, at + done);
      done += bytesWritten;
    }
    await handle.sync();
  } catch (error) {
    // Nobody acknowledged this part: if the disk is full, others need the space.
    await handle.truncate(at).catch(() => undefined);
    throw error;
  }
}

async function* pieces(place: string, size: number): AsyncGenerator<Uint8Array> {
  const handle = await open(place, 'r').catch(explain);
  try {
    for (let at = 0; at < size;) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, size - at));
      const { bytesRead } = await handle.read(piece, 0, piece.length, at);
      if (bytesRead === 0) throw draftIsShort();
      yield piece.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

async function readWhole(handle: FileHandle, size: number): Promise<Buffer> {
  const data = Buffer.allocUnsafeSlow(size);
  for (let done = 0; done < size;) {
    const { bytesRead } = await handle.read(data, done, size - done, done);
    if (bytesRead === 0) throw draftIsShort();
    done += bytesRead;
  }
  return data;
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    const age = await stat(file).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > ABANDONED_AFTER_MS) await rm(file, { force: true });
  }
}

function explain(error: unknown): never {
  throw explained(error);
}
