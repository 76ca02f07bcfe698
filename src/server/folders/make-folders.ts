import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Creates a folder and its missing parents, each with this mode. Level by level: where nothing can be created (`/proc`)
 * the system reports that the folder does not exist, which makes `recursive` retry forever. Errors: the system's, for
 * the folder that can't be created.
 */
export async function makeFolders(folder: string, mode?: number): Promise<void> {
  const missing: string[] = [];
  for (let place = path.resolve(folder); !(await isFolder(place)); place = path.dirname(place))
    missing.unshift(place);
  for (const place of missing)
    await mkdir(place, { mode }).catch(async (error: unknown) => {
      // Another process starting at the same time may have created it.
      if (!(await isFolder(place))) throw error;
    });
}

async function isFolder(place: string): Promise<boolean> {
  return stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
