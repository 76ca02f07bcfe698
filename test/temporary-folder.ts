import { chmod, mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** A new folder that the embedded database's own user can enter, so that removing it removes the database as well. */
export async function makeTemporaryFolder(purpose: string): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `parley-${purpose}-`));
  await chmod(folder, 0o755);
  return folder;
}
