import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { makeFolders } from '../folders/make-folders.ts';
import { explained, syncFolder } from './disk.ts';
import { openLocalDrafts } from './local-drafts.ts';
import { requireKey, type Storage } from './storage.ts';

/** No write takes this long; an older temporary file was left by a crash. */
const ABANDONED_AFTER_MS = 10 * 60_000;

/** Files on this machine's disk, readable only by the product's own user. Several processes can share the folder. */
export async function openLocalStorage(folder: string): Promise<Storage> {
  const unfinished = path.join(folder, 'unfinished');
  await makeFolders(unfinished, 0o700);
  await chmod(folder, 0o700);
  await removeAbandoned(unfinished);
  return {
    put: async (key, data) => {
      const place = placeOf(folder, key);
      const temporary = path.join(unfinished, randomUUID());
      await write(temporary, data)
        .then(() => moveIn(temporary, place))
        .catch(async (error: unknown) => {
          await rm(temporary, { force: true });
          throw explained(error);
        });
    },
    get: async (key) =>
      readFile(placeOf(folder, key)).catch((error: unknown) => {
        throw explained(error);
      }),
    stream: async (key) => {
      const handle = await open(placeOf(folder, key)).catch((error: unknown) => {
        throw explained(error);
      });
      return handle.createReadStream();
    },
    remove: async (key) => rm(placeOf(folder, key), { force: true }),
    drafts: await openLocalDrafts(path.join(folder, 'drafts')),
  };
}

/** The last two characters of an ID are random, so they spread files evenly over subfolders. */
function placeOf(folder: string, key: string): string {
  return path.join(folder, requireKey(key).slice(-2), key);
}

async function write(file: string, data: Uint8Array): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(data);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A rename survives a crash only if the folders it changed are synced as well. */
async function moveIn(temporary: string, place: string): Promise<void> {
  const folder = path.dirname(place);
  const isNew = await mkdir(folder, { recursive: true, mode: 0o700 });
  await rename(temporary, place);
  await syncFolder(folder);
  if (isNew) await syncFolder(path.dirname(folder));
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
