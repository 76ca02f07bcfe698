import path from 'node:path';
import { makeFolders } from './make-folders.ts';
import { StartError } from '../start-error.ts';

const OWN = 0o700;
/** Started as root, PostgreSQL has a user of its own, who must get through to its folder in it. */
const OF_ROOT = 0o711;

/** Makes the folder of everything that is kept, which nobody else may look into. One that is there stays as its owner has it. */
export async function makeDataFolder(dataDir: string): Promise<void> {
  await makeFolders(dataDir, process.getuid?.() === 0 ? OF_ROOT : OWN).catch((error: unknown) => {
    // It may be a folder above that cannot be made.
    throw explained(error as NodeJS.ErrnoException, dataDir);
  });
}

const full = ['ENOSPC', 'EDQUOT'];
const closed = ['EROFS', 'EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'EEXIST', 'ENAMETOOLONG', 'ELOOP'];

/** What the operator can do about it when something in the folder could not be written; any other error as it is. */
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
