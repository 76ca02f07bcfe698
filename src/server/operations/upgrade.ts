import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import { makeFolders } from '../folders/make-folders.ts';
import type { Log } from '../log.ts';
import { backUp, unfinishedOf } from './backup.ts';
import { sourceOf } from './open.ts';

/** How many upgrade backups to keep. */
const KEPT = 3;

const isUnfinished = (name: string): boolean =>
  name.startsWith('upgrade-') && name.endsWith(unfinishedOf(''));

/**
 * Backs up an older version's data to `<dataDir>/backups` before the tables change, so that the older version can be
 * restored. No upgrade begins without it.
 */
export function backUpForUpgrade(config: Config, log: Log) {
  return async (connectionString: string): Promise<void> => {
    if (!config.upgradeBackup) return;
    const folder = path.join(config.dataDir, 'backups');
    await makeFolders(folder, 0o700);
    // Leftovers of a killed process: they would fill the disk and displace complete backups.
    for (const name of (await readdir(folder)).filter(isUnfinished)) await rm(path.join(folder, name));
    const source = await sourceOf(config, connectionString);
    const file = path.join(folder, `upgrade-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.backup`);
    log.info({ file }, 'making a backup before the upgrade');
    await backUp(source, file);
    const made = (await readdir(folder)).filter((name) => name.startsWith('upgrade-')).toSorted();
    for (const name of made.slice(0, -KEPT)) await rm(path.join(folder, name));
  };
}
