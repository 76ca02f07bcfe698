import { rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { ConfigError, readConfig, type Config } from '../config/config.ts';
import { makeDataFolder } from '../folders/data-folder.ts';
import { causeOf, explainStart } from '../db/open.ts';
import { livingRunners } from '../db/runner.ts';
import { makeFolders } from '../folders/make-folders.ts';
import { createLog } from '../log.ts';
import { openVault } from '../identity/secrets.ts';
import { StartError } from '../start-error.ts';
import { openStorage } from '../storage/open.ts';
import { backUp, unfinishedOf } from './backup.ts';
import { examine } from './doctor.ts';
import { heedInterruptions, whenInterrupted } from './interruption.ts';
import { filesFolderOf, secretKeyFileOf, sourceOf, withDatabase } from './open.ts';
import { sealAnew } from './rotate.ts';
import { openBackup, removeFiles, requirePlaces, restoreFiles, restoreRows } from './restore.ts';

const usage = `Usage:
  parley backup [file]     back up this installation to one file, even while it runs
  parley restore <file>    restore a backup into an empty installation
  parley doctor            check what this installation needs
  parley rotate-secret     re-encrypt with SECRET_KEY what was encrypted with SECRET_KEY_PREVIOUS`;

/** The number of files each command takes: minimum and maximum. */
const takes: Record<string, [number, number]> = {
  backup: [0, 1],
  restore: [1, 1],
  doctor: [0, 0],
  'rotate-secret': [0, 0],
};

/** The operator's commands, run on the installation's machine with its environment. An invalid command line starts nothing. */
async function main([command = '', ...given]: string[]): Promise<number> {
  if (given.some((word) => word === '--help' || word === '-h')) {
    console.log(usage);
    return 0;
  }
  const [least, most] = takes[command] ?? [1, 0];
  if (given.length < least || given.length > most || given.some((word) => /^-|^$/.test(word))) {
    console.error(usage);
    return 2;
  }
  const config = readConfig();
  heedInterruptions((line) => console.error(line));
  const [file] = given;
  if (command === 'restore') return restore(config, file ?? '');
  await requireInstallation(config);
  if (command === 'backup') return makeBackup(config, file);
  if (command === 'rotate-secret') return rotate(config);
  return examine(config, (line) => console.log(line));
}

async function rotate(config: Config): Promise<number> {
  if (config.operations.secretKeyPrevious === undefined)
    throw new StartError(
      'Set SECRET_KEY_PREVIOUS to the secret to be replaced, and SECRET_KEY to the new one.',
    );
  const vault = await openVault(config);
  const { renewed, unreadable } = await withDatabase(config, (connectionString) =>
    sealAnew(connectionString, vault),
  );
  console.log(`${renewed} stored secrets were re-encrypted; none is left under the previous one.`);
  if (unreadable > 0)
    console.log(`${unreadable} can be read with neither: they were encrypted with another secret.`);
  return 0;
}

/** Errors: `StartError` if no embedded database was ever created; looking for it would create one. */
async function requireInstallation({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl !== undefined || (await stat(path.join(dataDir, 'postgres')).catch(() => undefined)))
    return;
  throw new StartError(`No installation was found in ${dataDir}. Start Parley once, or set DATA_DIR.`);
}

async function makeBackup(config: Config, file = defaultName()): Promise<number> {
  const target = path.resolve(file);
  if (await stat(target).catch(() => undefined)) throw new StartError(`${target} already exists.`);
  await makeFolders(path.dirname(target));
  const manifest = await withDatabase(config, async (connectionString) => {
    const source = await sourceOf(config, connectionString);
    const over = whenInterrupted(() => rmSync(unfinishedOf(target), { force: true }));
    return backUp(source, target).finally(over);
  });
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(`${target}: ${rows} rows, ${manifest.files} files, as of ${manifest.madeAt}.`);
  if (manifest.secretKey === 'environment')
    console.log('It does not contain SECRET_KEY: keep that separately.');
  if (manifest.storage === 'elsewhere') console.log('It does not contain the files: they are in a bucket.');
  return 0;
}

const defaultName = (): string => `parley-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.backup`;

async function restore(config: Config, file: string): Promise<number> {
  const backup = await openBackup(file);
  try {
    if (backup.manifest.secretKey === 'environment' && config.secretKey === undefined)
      throw new StartError('The backup was made with SECRET_KEY. Set the same one.');
    const files = filesFolderOf(config) ?? (await openStorage(config.storageUrl, config.dataDir));
    const places = { secretKeyFile: secretKeyFileOf(config), files };
    const hadKey = (await stat(places.secretKeyFile).catch(() => undefined)) !== undefined;
    await requirePlaces(backup, places);
    await makeDataFolder(config.dataDir);
    await withDatabase(config, async (connectionString) => {
      await requireEmpty(connectionString);
      const tidy = () => removeFiles(backup, places, hadKey);
      const over = whenInterrupted(tidy);
      try {
        await restoreFiles(backup, places);
        await makeTables({ ...config, databaseUrl: connectionString });
        await restoreRows(backup, connectionString, over);
      } catch (error) {
        tidy();
        throw error;
      } finally {
        over();
      }
    });
  } finally {
    backup.close();
  }
  const { madeAt, version, storage } = backup.manifest;
  console.log(`Restored as of ${madeAt}, made by Parley ${version}. Start Parley as usual.`);
  if (storage === 'elsewhere' && filesFolderOf(config) !== undefined)
    console.log(
      'The files are in a bucket, not in the backup: start Parley with the STORAGE_URL of that bucket.',
    );
  return 0;
}

/** Errors: `StartError` if a server is running, or if there are users already. */
async function requireEmpty(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    if ((await client.query(livingRunners)).rowCount !== 0)
      throw new StartError('Parley is running on this installation. Stop it before you restore.');
    const { rows } = await client.query<{ there: boolean }>(
      `select to_regclass('public."user"') is not null as there`,
    );
    if (!rows[0]?.there) return;
    const { rowCount } = await client.query('select 1 from "user" limit 1');
    if (rowCount !== 0) throw new StartError('This installation is not empty. Restore into an empty one.');
  } finally {
    await client.end();
  }
}

/**
 * Each part of the program creates its own tables: it is started once and serves nobody. Nothing else needs it, and
 * loading it takes seconds.
 */
async function makeTables(config: Config): Promise<void> {
  const { createApp } = await import('../app.ts');
  const quiet = { ...config, role: 'all' as const, seedDemo: false, logLevel: 'silent' as const };
  const app = await createApp(quiet, createLog(quiet));
  await app.close();
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (failure: unknown) => {
    const error = explainStart(causeOf(failure));
    // For an unreadable or unwritable file or a full disk, the system's own message is enough.
    const isOfSystem = error instanceof Error && 'syscall' in error && 'errno' in error;
    const isExpected = error instanceof StartError || error instanceof ConfigError || isOfSystem;
    console.error(isExpected ? error.message : error);
    process.exit(1);
  },
);
