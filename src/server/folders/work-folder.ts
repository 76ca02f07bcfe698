import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const PREFIX = 'parley-work-';
/** No import, download or analysis takes this long; an older folder was left by a crash. */
const ABANDONED_AFTER_MS = 12 * 3_600_000;

export interface Folder {
  at: (name: string) => string;
  remove: () => Promise<void>;
}

/** A folder for the duration of one piece of work. Also removes what crashes have left behind. */
export async function makeFolder(): Promise<Folder> {
  await removeAbandoned(os.tmpdir());
  const folder = await mkdtemp(path.join(os.tmpdir(), PREFIX));
  return {
    at: (name) => path.join(folder, name),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = path.join(parent, name);
    const age = await stat(folder).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    // Another user's folder is not ours to remove.
    if (age > ABANDONED_AFTER_MS) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
