import { constants, createWriteStream, rmSync } from 'node:fs';
import { access, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import * as yauzl from 'yauzl';
import { migrateTo, newestMigration } from '../db/migrate.ts';
import { makeFolders } from '../folders/make-folders.ts';
import { StartError } from '../start-error.ts';
import type { Storage } from '../storage/storage.ts';
import {
  columnsOf,
  FILES,
  isOfOneDay,
  listTables,
  MANIFEST,
  nameOf,
  partOf,
  SECRET_KEY,
  type Manifest,
  type Table,
} from './contents.ts';

/**
 * An opened backup. Errors: `StartError` for a file that is not a backup, is incomplete, or is from a newer Parley; the
 * system's own for one that is missing or unreadable.
 */
export interface Backup {
  manifest: Manifest;
  /** Reads one part. */
  stream: (name: string) => Promise<NodeJS.ReadableStream>;
  names: string[];
  close: () => void;
}

export async function openBackup(file: string): Promise<Backup> {
  await access(file, constants.R_OK);
  const zip = await yauzl.openPromise(file, { lazyEntries: true, autoClose: false }).catch(() => {
    throw new StartError(`${file} is not a Parley backup, or is incomplete.`);
  });
  const entries = new Map<string, yauzl.Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  const stream = async (name: string): Promise<NodeJS.ReadableStream> => {
    const entry = entries.get(name);
    if (!entry) throw new StartError(`${file} is not a Parley backup: ${name} is missing.`);
    return zip.openReadStreamPromise(entry);
  };
  const manifest = JSON.parse(await textOf(await stream(MANIFEST))) as Manifest;
  if (manifest.format !== 1 || manifest.migration > (await newestMigration()))
    throw new StartError(
      `${file} was made by a newer Parley (${manifest.version}). Restore it with that one.`,
    );
  return { manifest, stream, names: [...entries.keys()], close: () => zip.close() };
}

async function bytesOf(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

const textOf = async (stream: NodeJS.ReadableStream): Promise<string> => (await bytesOf(stream)).toString();

interface Places {
  secretKeyFile: string;
  /** A folder, or a bucket. */
  files: string | Storage;
}

/**
 * Checks before anything is written. Errors: `StartError` if the folder is not empty, or there is a different key. A
 * bucket's contents are not checked: what is written there has unique names.
 */
export async function requirePlaces(backup: Backup, { secretKeyFile, files }: Places): Promise<void> {
  if (backup.manifest.secretKey === 'included') {
    const there = await readFile(secretKeyFile, 'utf8').catch(() => undefined);
    if (there !== undefined && there.trim() !== (await textOf(await backup.stream(SECRET_KEY))).trim())
      throw new StartError(
        `${secretKeyFile} is another key than that of the backup. Move it away if nothing needs it.`,
      );
  }
  if (filesOf(backup).length === 0 || typeof files !== 'string') return;
  // Empty folders are left over from a failed start.
  const there = await readdir(files, { recursive: true, withFileTypes: true }).catch(() => []);
  if (there.some((entry) => !entry.isDirectory()))
    throw new StartError(`${files} is not empty. Restore into an empty folder.`);
}

/**
 * Removes what `restoreFiles` has written, even partially, except in a bucket: there the next attempt writes the same
 * again. `hadKey`: the same key was already there.
 */
export function removeFiles(backup: Backup, { secretKeyFile, files }: Places, hadKey: boolean): void {
  if (!hadKey) rmSync(secretKeyFile, { force: true });
  // If the backup holds files, and only then, the folder was checked to contain none.
  if (typeof files === 'string' && filesOf(backup).length > 0)
    rmSync(files, { recursive: true, force: true });
}

const filesOf = ({ names }: Backup): string[] => names.filter((name) => name.startsWith(FILES));

/**
 * Restores the secret key and the files, before there is a database. Errors: `StartError` for a backup whose file paths
 * lead elsewhere, and for a bucket that rejects them.
 */
export async function restoreFiles(backup: Backup, { secretKeyFile, files }: Places): Promise<void> {
  if (backup.manifest.secretKey === 'included') {
    await makeFolders(path.dirname(secretKeyFile), 0o700);
    const key = await textOf(await backup.stream(SECRET_KEY));
    await writeFile(secretKeyFile, key, { mode: 0o600 });
  }
  for (const name of filesOf(backup)) {
    if (typeof files === 'string') await intoFolder(backup, name, files);
    else await intoBucket(backup, name, files);
  }
}

async function intoFolder(backup: Backup, name: string, folder: string): Promise<void> {
  const place = path.resolve(folder, name.slice(FILES.length));
  if (!place.startsWith(path.resolve(folder) + path.sep)) throw new StartError(`${name} leads elsewhere.`);
  await makeFolders(path.dirname(place), 0o700);
  await pipeline(await backup.stream(name), createWriteStream(place, { mode: 0o600 }));
}

/** Holds one file at a time in memory, as an upload does. */
async function intoBucket(backup: Backup, name: string, bucket: Storage): Promise<void> {
  const [, folder, key] = /^([\da-z_-]+)\/([\da-z_-]+)$/.exec(name.slice(FILES.length)) ?? [];
  if (key === undefined) throw new StartError(`${name} leads elsewhere.`);
  const data = await bytesOf(await backup.stream(name));
  try {
    if (folder === 'drafts') await bucket.drafts.append(key, 0, data);
    else await bucket.put(key, data);
  } catch (error) {
    const { message } = (
      error instanceof Error && error.cause instanceof Error ? error.cause : error
    ) as Error;
    throw new StartError(`The bucket of STORAGE_URL did not take ${name}. ${message}`);
  }
}

/**
 * Restores every row in one transaction: if it is killed midway, nothing is there. The database has this version's
 * tables and no rows; for an older backup the tables are set back to their state at the time, and the next start
 * migrates them with their rows. `isDue` is called when all rows are written and about to be committed: from then on
 * they need their files.
 */
export async function restoreRows(
  backup: Backup,
  connectionString: string,
  isDue: () => void,
): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { migration } = backup.manifest;
    if (migration < (await newestMigration())) await migrateTo(client, migration);
    await client.query('begin');
    await fill(client, backup);
    isDue();
    await client.query('commit');
    // This only speeds up the first queries; its failure must not remove the files again.
    await client.query('analyze').catch(() => undefined);
  } finally {
    await client.end();
  }
}

async function fill(client: pg.Client, backup: Backup): Promise<void> {
  const here = await listTables(client);
  const lasting = backup.manifest.tables.filter((table) => !isOfOneDay(table));
  const tables = lasting.map((table) => fitting(table, here));
  const rules = await setAsideRules(client);
  await client.query(`truncate ${here.map(nameOf).join(', ')} cascade`);
  for (const table of tables) {
    // First what may be missing: once begun, a copy into the database has to be finished.
    const written = await backup.stream(partOf(table));
    const into = client.query(copyFrom(`copy ${nameOf(table)} (${columnsOf(table)}) from stdin`));
    await pipeline(written, into).catch((cause: unknown) => {
      if (isOfServer(cause)) throw cause;
      throw new StartError(
        `The rows of ${nameOf(table)} cannot be read: ${said(cause)} The backup is damaged.`,
      );
    });
    if (into.rowCount !== table.rows)
      throw new StartError(
        `Of ${nameOf(table)} ${into.rowCount} of ${table.rows} rows came. The backup is damaged.`,
      );
  }
  for (const { schema, name, value } of backup.manifest.sequences)
    if (value !== null)
      await client.query('select setval($1::regclass, $2)', [nameOf({ schema, name }), value]);
  await rules.putBack();
}

/** A full disk or a stopping database says nothing about the backup. */
const isOfServer = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && /^(08|53|57)/.test(String(cause.code));

const said = (cause: unknown): string => (cause instanceof Error ? `${cause.message}.` : '');

function fitting(table: Manifest['tables'][number], here: Table[]): Manifest['tables'][number] {
  const same = here.find(({ schema, name }) => schema === table.schema && name === table.name);
  if (!same || table.columns.some((column) => !same.columns.includes(column)))
    throw new StartError(
      `${nameOf(table)} is another one here. Restore with the version that made the backup.`,
    );
  return table;
}

/**
 * Triggers ran when the rows were first written, and tables refer to each other in cycles: both are disabled until all
 * rows are there. Foreign keys are then checked for all of them.
 */
async function setAsideRules(client: pg.Client): Promise<{ putBack: () => Promise<void> }> {
  const { rows: references } = await client.query<{ table: string; name: string; definition: string }>(
    `select c.conrelid::regclass::text as table, quote_ident(c.conname) as name, pg_get_constraintdef(c.oid) as definition
       from pg_constraint c join pg_namespace n on n.oid = c.connamespace
      where c.contype = 'f' and c.conparentid = 0 and n.nspname in ('public', 'pgboss', 'payment_local')`,
  );
  const { rows: triggered } = await client.query<{ table: string }>(
    `select distinct t.tgrelid::regclass::text as table
       from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
      where not t.tgisinternal and n.nspname in ('public', 'pgboss', 'payment_local')`,
  );
  for (const { table, name } of references)
    await client.query(`alter table ${table} drop constraint ${name}`);
  for (const { table } of triggered) await client.query(`alter table ${table} disable trigger user`);
  return {
    putBack: async () => {
      for (const { table } of triggered) await client.query(`alter table ${table} enable trigger user`);
      for (const { table, name, definition } of references)
        await client.query(`alter table ${table} add constraint ${name} ${definition}`);
    },
  };
}
