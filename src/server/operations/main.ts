import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { createApp } from '../app.ts';
import { ConfigError, readConfig, type Config } from '../config.ts';
import { makeDataFolder } from '../data-folder.ts';
import { createLog } from '../log.ts';
import { openVault } from '../identity/secrets.ts';
import { StartError } from '../start-error.ts';
import { backUp } from './backup.ts';
import { examine } from './doctor.ts';
import { filesFolderOf, secretKeyFileOf, sourceOf, withDatabase } from './open.ts';
import { sealAnew } from './rotate.ts';
import { openBackup, removeFiles, requirePlaces, restoreFiles, restoreRows } from './restore.ts';

const usage = `Usage:
  parley backup [file]     everything of this installation into one file, also while it runs
  parley restore <file>    into an empty installation
  parley doctor            looks at what this installation needs
  parley rotate-secret     seals anew, under SECRET_KEY, what was sealed under SECRET_KEY_PREVIOUS`;

/** What an operator does on the machine of an installation, with its environment. */
async function main([command, file]: string[]): Promise<number> {
  const config = readConfig();
  if (['backup', 'doctor', 'rotate-secret'].includes(command ?? '')) await requireInstallation(config);
  if (command === 'backup') return makeBackup(config, file);
  if (command === 'restore' && file !== undefined) return restore(config, file);
  if (command === 'doctor') return examine(config, (line) => console.log(line));
  if (command === 'rotate-secret') return rotate(config);
  console.error(usage);
  return 1;
}

async function rotate(config: Config): Promise<number> {
  if (config.operations.secretKeyPrevious === undefined)
    throw new StartError(
      'Set SECRET_KEY_PREVIOUS to the secret that is to be replaced, and SECRET_KEY to the new one.',
    );
  const vault = await openVault(config);
  const { renewed, unreadable } = await withDatabase(config, (connectionString) =>
    sealAnew(connectionString, vault),
  );
  console.log(`${renewed} stored secrets were sealed anew; none is left under the previous one.`);
  if (unreadable > 0) console.log(`${unreadable} can be read with neither: they were sealed under another.`);
  return 0;
}

/** Errors: `StartError` where no embedded database was ever made; looking for it would make one. */
async function requireInstallation({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl !== undefined || (await stat(path.join(dataDir, 'postgres')).catch(() => undefined)))
    return;
  throw new StartError(`There is no installation in ${dataDir} yet. Start Parley once, or set DATA_DIR.`);
}

async function makeBackup(config: Config, file = defaultName()): Promise<number> {
  const target = path.resolve(file);
  if (await stat(target).catch(() => undefined)) throw new StartError(`${target} is there already.`);
  await mkdir(path.dirname(target), { recursive: true });
  const manifest = await withDatabase(config, async (connectionString) =>
    backUp(await sourceOf(config, connectionString), target),
  );
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(`${target}: ${rows} rows, ${manifest.files} files, as of ${manifest.madeAt}.`);
  if (manifest.secretKey === 'environment') console.log('SECRET_KEY is not in it: keep it apart.');
  if (manifest.storage === 'elsewhere') console.log('Files are in a bucket, and not in it.');
  return 0;
}

const defaultName = (): string => `parley-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.backup`;

async function restore(config: Config, file: string): Promise<number> {
  const backup = await openBackup(file);
  try {
    if (backup.manifest.secretKey === 'environment' && config.secretKey === undefined)
      throw new StartError('The backup was made with SECRET_KEY. Set the same one.');
    const places = { secretKeyFile: secretKeyFileOf(config), filesFolder: filesFolderOf(config) };
    const hadKey = (await stat(places.secretKeyFile).catch(() => undefined)) !== undefined;
    await requirePlaces(backup, places);
    await makeDataFolder(config.dataDir);
    await withDatabase(config, requireEmpty);
    try {
      await restoreFiles(backup, places);
      await makeTables(config);
      await withDatabase(config, (connectionString) => restoreRows(backup, connectionString));
    } catch (error) {
      await removeFiles(backup, places, hadKey);
      throw error;
    }
  } finally {
    backup.close();
  }
  const { madeAt, version } = backup.manifest;
  console.log(`Restored as of ${madeAt}, made by Parley ${version}. Start Parley as usual.`);
  return 0;
}

/** Errors: `StartError` where somebody is known already. */
async function requireEmpty(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ there: boolean }>(
      `select to_regclass('public."user"') is not null as there`,
    );
    if (!rows[0]?.there) return;
    const { rowCount } = await client.query('select 1 from "user" limit 1');
    if (rowCount !== 0) throw new StartError('This installation is not empty. Restore into another one.');
  } finally {
    await client.end();
  }
}

/** Each part of the program makes its own: it is started once, and serves nobody. */
async function makeTables(config: Config): Promise<void> {
  const quiet = { ...config, role: 'all' as const, seedDemo: false, logLevel: 'silent' as const };
  const app = await createApp(quiet, createLog(quiet));
  await app.close();
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    // That a file cannot be read or written is the system's own word on it.
    const isOfFile = error instanceof Error && 'path' in error && 'errno' in error;
    const isExpected = error instanceof StartError || error instanceof ConfigError || isOfFile;
    console.error(isExpected ? error.message : error);
    process.exit(1);
  },
);
