import type { EventEmitter } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { ZipFile } from 'yazl';
import { StartError } from '../start-error.ts';
import { BACKUP_LOCK } from '../storage/backup-lock.ts';
import {
  columnsOf,
  FILES,
  listSequences,
  listTables,
  MANIFEST,
  migrationOf,
  nameOf,
  partOf,
  SECRET_KEY,
  type Manifest,
  type Table,
} from './contents.ts';

export interface BackupSource {
  connectionString: string;
  /** Undefined: files are in a bucket. */
  filesFolder: string | undefined;
  /** Undefined: the key comes from the environment. */
  secretKeyFile: string | undefined;
  version: string;
}

/** Where a backup is written until it is complete. */
export const unfinishedOf = (target: string): string => `${target}.unfinished`;

/**
 * Writes everything in an installation to one file while it is in use: all rows as of one moment, and the bytes they
 * refer to, none of which is removed meanwhile. So it contains every write acknowledged before this call. The file
 * appears once it is complete, readable by its owner only: it holds the secret key.
 */
export async function backUp(source: BackupSource, target: string): Promise<Manifest> {
  const unfinished = unfinishedOf(target);
  const client = new pg.Client({ connectionString: source.connectionString });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [BACKUP_LOCK]);
    await client.query('begin isolation level repeatable read read only');
    const zip = new ZipFile();
    // Always a new file, never one that somebody has planted there and can read.
    await rm(unfinished, { force: true });
    const written = pipeline(zip.outputStream, createWriteStream(unfinished, { mode: 0o600, flags: 'wx' }));
    const manifest = await Promise.race([fill(zip, client, source), failureOf(zip, written)]);
    await written;
    await client.query('commit');
    await chmod(unfinished, 0o600);
    await makeLasting(unfinished);
    await rename(unfinished, target);
    return manifest;
  } catch (error) {
    await rm(unfinished, { force: true });
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ENOSPC', 'EDQUOT'].includes(code)) throw error;
    throw new StartError(`The disk for the backup ${target} is full. Nothing was left behind.`);
  } finally {
    await client.end();
  }
}

/** Rejects on a read or write failure. Never resolves: what it races against does. */
function failureOf(zip: ZipFile, written: Promise<void>): Promise<never> {
  return new Promise<never>((_resolve, reject) => {
    // The library reports unreadable parts this way; its types don't include it.
    (zip as unknown as EventEmitter).once('error', reject);
    written.catch(reject);
  });
}

async function fill(zip: ZipFile, client: pg.Client, source: BackupSource): Promise<Manifest> {
  // The moment of the snapshot: later writes are not in it.
  const { rows: now } = await client.query<{ at: Date }>('select now() as at');
  const tables: Manifest['tables'] = [];
  for (const table of await listTables(client))
    tables.push({ ...table, rows: await addTable(zip, client, table) });
  const { secretKeyFile, filesFolder, version } = source;
  if (secretKeyFile !== undefined) zip.addFile(secretKeyFile, SECRET_KEY);
  const files = filesFolder === undefined ? [] : await listFiles(filesFolder);
  for (const file of files) await addFile(zip, path.join(filesFolder ?? '', file), FILES + file);
  const manifest: Manifest = {
    format: 1,
    version,
    madeAt: (now[0]?.at ?? new Date()).toISOString(),
    migration: await migrationOf(client),
    tables,
    sequences: await listSequences(client),
    files: files.length,
    secretKey: secretKeyFile === undefined ? 'environment' : 'included',
    storage: filesFolder === undefined ? 'elsewhere' : 'included',
  };
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), MANIFEST);
  zip.end();
  return manifest;
}

/** Sequential: they share a connection because they share a snapshot. */
async function addTable(zip: ZipFile, client: pg.Client, table: Table): Promise<number> {
  const rows = client.query(copyTo(`copy ${nameOf(table)} (${columnsOf(table)}) to stdout`));
  zip.addReadStream(rows, partOf(table));
  await new Promise<void>((resolve, reject) => rows.once('end', resolve).once('error', reject));
  return rows.rowCount;
}

/** Files unfinished when the backup began belong to no row; they may disappear meanwhile. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith('unfinished'))
    .toSorted();
}

/** At its current size: a file still being uploaded grows. It is opened when its turn comes. */
async function addFile(zip: ZipFile, file: string, name: string): Promise<void> {
  const { size, mtime } = await stat(file);
  if (size === 0) return zip.addBuffer(Buffer.alloc(0), name, { mtime });
  zip.addReadStreamLazy(name, { size, mtime, compress: false }, (done) =>
    done(null, createReadStream(file, { end: size - 1 })),
  );
}

async function makeLasting(file: string): Promise<void> {
  const handle = await open(file, 'r');
  await handle.sync();
  await handle.close();
}
