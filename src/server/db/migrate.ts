import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';
import { StartError } from '../start-error.ts';

/** The role that serves every request: it owns no table, so row-level security binds it. */
export const APP_ROLE = 'parley_app';

const MIGRATION_LOCK = 7_210_002;
const migrationsFolder = path.join(import.meta.dirname, 'migrations');

/**
 * Brings the schema up to date. All pending migrations run in one transaction, so a kill in the middle leaves the old
 * schema; of several processes that start at once, one migrates and the others wait.
 */
export async function migrate(
  owner: pg.Pool,
  beforeUpgrade: () => Promise<void> = async () => undefined,
): Promise<void> {
  const client = await owner.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const newest = await newestThere(client);
    const known = await newestMigration();
    if (newest > known) throw isNewer();
    if (newest < known && (await hasPeople(client))) await beforeUpgrade();
    await runMigrations(drizzle({ client }), { migrationsFolder });
    await ensureAppRole(client);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    client.release();
  }
}

interface Journal {
  entries: { when: number }[];
}

const journalFile = (folder: string): string => path.join(folder, 'meta', '_journal.json');

async function readJournal(): Promise<Journal> {
  return JSON.parse(await readFile(journalFile(migrationsFolder), 'utf8')) as Journal;
}

/** The newest migration this version knows, in the database's notation: a timestamp in milliseconds. */
export async function newestMigration(): Promise<number> {
  return Math.max(...(await readJournal()).entries.map((entry) => entry.when));
}

/** Recreates the tables, empty, as they were after this migration, for rows from that time. */
export async function migrateTo(client: pg.ClientBase, migration: number): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-migrations-'));
  try {
    await cp(migrationsFolder, folder, { recursive: true });
    const journal = await readJournal();
    const entries = journal.entries.filter(({ when }) => when <= migration);
    await writeFile(journalFile(folder), JSON.stringify({ ...journal, entries }));
    for (const schema of ['public', 'payment_local', 'drizzle'])
      await client.query(`drop schema if exists ${schema} cascade`);
    await client.query('create schema public');
    await runMigrations(drizzle({ client: client as pg.Client }), { migrationsFolder: folder });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The newest migration applied to the database; 0 for none. */
async function newestThere(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as there`,
  );
  if (!rows[0]?.there) return 0;
  const found = await client.query<{ newest: string | null }>(
    'select max(created_at) as newest from drizzle.__drizzle_migrations',
  );
  return Number(found.rows[0]?.newest ?? 0);
}

async function hasPeople(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('public."user"') is not null as there`,
  );
  if (!rows[0]?.there) return false;
  const { rowCount } = await client.query('select from "user" limit 1');
  return rowCount === 1;
}

function isNewer(): StartError {
  return new StartError(
    'The database was written by a newer Parley. Start that version, or restore a backup from before the upgrade.',
  );
}

/** Creates the role once per server and lets it read and write rows, nothing more. */
async function ensureAppRole(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ known: boolean; usable: boolean }>(
    `select count(*) > 0 as known, coalesce(bool_or(pg_has_role(oid, 'member')), false) as usable
       from pg_roles where rolname = $1`,
    [APP_ROLE],
  );
  try {
    if (!rows[0]?.known) await createAppRole(client);
    if (!rows[0]?.usable) await client.query(`grant ${APP_ROLE} to current_user`);
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error;
    throw new StartError(
      `The user of DATABASE_URL may not create the role ${APP_ROLE} or use it. Run once as an administrator: CREATE ROLE ${APP_ROLE} NOLOGIN; GRANT ${APP_ROLE} TO that_user;`,
    );
  }
  await client.query(`
    create schema if not exists pgboss;
    grant usage on schema public, pgboss to ${APP_ROLE};
    grant select, insert, update, delete on all tables in schema public, pgboss to ${APP_ROLE};
    grant usage on all sequences in schema public, pgboss to ${APP_ROLE};
    alter default privileges in schema pgboss grant select, insert, update, delete on tables to ${APP_ROLE};
    alter default privileges in schema pgboss grant usage on sequences to ${APP_ROLE};
  `);
}

async function createAppRole(client: pg.PoolClient): Promise<void> {
  try {
    await client.query(`create role ${APP_ROLE} nologin`);
  } catch (error) {
    const code = (error as { code?: string }).code;
    // Another database on the same server has just created it.
    if (code === '42710' || code === '23505') return;
    throw error;
  }
}
