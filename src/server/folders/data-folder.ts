import path from 'node:path';
import { makeFolders } from './make-folders.ts';
import { StartError } from '../start-error.ts';

const OWN = 0o700;
/** When started as root, PostgreSQL runs as its own user, who must be able to traverse to its folder. */
const OF_ROOT = 0o711;

/** Creates the data folder, which nobody else may read. An existing one keeps the mode its owner gave it. */
export async function makeDataFolder(dataDir: string): Promise<void> {
  await makeFolders(dataDir, process.getuid?.() === 0 ? OF_ROOT : OWN).catch((error: unknown) => {
    // A parent folder may be the one that can't be created.
    throw explained(error as NodeJS.ErrnoException, dataDir);
  });
}

const full = ['ENOSPC', 'EDQUOT'];
const closed = ['EROFS', 'EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'EEXIST', 'ENAMETOOLONG', 'ELOOP'];

/** Tells the operator what to do when something in the folder could not be written; returns any other error as is. */
export function asDataFolderError(error: unknown, dataDir: string): unknown {
  const { path: place } = error as NodeJS.ErrnoException;
  const isElsewhere = place === undefined || path.relative(dataDir, place).startsWith('..');
  return isElsewhere ? error : explained(error as NodeJS.ErrnoException, dataDir);
}

function explained(error: NodeJS.ErrnoException, dataDir: string): Error {
  const { code = '', path: place } = error;
  if (full.includes(code))
    return new StartError(
      `The disk of the data folder ${dataDir} is full. Free some space, or set DATA_DIR.`,
    );
  if (!closed.includes(code)) return error;
  return new StartError(
    `The data folder ${dataDir} cannot be written (${code}: ${place}). Make it writable for the user who starts Parley, or set DATA_DIR.`,
  );
}
