import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { finished } from 'node:stream/promises';

const PREFIX = 'parley-agent-';
/** No import and no download takes this long; a folder that is older was left by a crash. */
const ABANDONED_AFTER_MS = 12 * 3_600_000;

export interface Folder {
  at: (name: string) => string;
  remove: () => Promise<void>;
}

/** Where a list of the file lies while it waits: side by side with the others. */
export const nameIn = (part: string): string => part.replaceAll('/', '-');

/** A folder for the time of one piece of work. What crashes have left of others goes. */
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
    // Another user's is not ours to remove.
    if (age > ABANDONED_AFTER_MS) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Writes a list as lines of JSON, no faster than the disk. */
export class LineWriter {
  readonly #stream: WriteStream;

  constructor(file: string) {
    this.#stream = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  }

  async write(line: object): Promise<void> {
    if (!this.#stream.write(`${JSON.stringify(line)}\n`)) await once(this.#stream, 'drain');
  }

  async end(): Promise<void> {
    this.#stream.end();
    await finished(this.#stream);
  }
}
