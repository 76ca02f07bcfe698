import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a folder and what is missing above it, each of this mode. Level by level: where nothing can be made (`/proc`) the system says
 * that there is no such folder, on which `recursive` tries for ever. Errors: the system's, of the folder that cannot be made.
 */
export async function makeFolders(folder: string, mode?: number): Promise<void> {
  const missing: string[] = [];
  for (let place = path.resolve(folder); !(await isFolder(place)); place = path.dirname(place))
    missing.unshift(place);
  for (const place of missing)
    await mkdir(place, { mode }).catch(async (error: unknown) => {
      // Another that starts at the same time may have made it.
      if (!(await isFolder(place))) throw error;
    });
}

async function isFolder(place: string): Promise<boolean> {
  return stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
