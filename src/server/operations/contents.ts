import type pg from 'pg';

/** Our schemas. */
const SCHEMAS = ['public', 'drizzle', 'pgboss', 'payment_local'] as const;

export interface Table {
  schema: string;
  name: string;
  /** The stored columns, in order. */
  columns: string[];
}

export interface Sequence {
  schema: string;
  name: string;
  /** Null: never used. */
  value: string | null;
}

/** Describes a backup's contents; written last, so a backup without it is incomplete. */
export interface Manifest {
  format: 1;
  version: string;
  madeAt: string;
  /** The database's newest migration, as the migrator names it: a time in milliseconds. */
  migration: number;
  tables: (Table & { rows: number })[];
  sequences: Sequence[];
  files: number;
  /** `environment`: not in the backup, because the installation doesn't store it. */
  secretKey: 'included' | 'environment';
  /** `elsewhere`: in a bucket, which has its own backup. */
  storage: 'included' | 'elsewhere';
}

export const MANIFEST = 'manifest.json';
export const SECRET_KEY = 'secret.key';
export const FILES = 'files/';
export const partOf = ({ schema, name }: Pick<Table, 'schema' | 'name'>): string =>
  `tables/${schema}.${name}.copy`;

/**
 * The job queue keeps one statistics table per day, which an installation from another day does not have. It starts
 * counting anew.
 */
export const isOfOneDay = ({ schema, name }: Pick<Table, 'schema' | 'name'>): boolean =>
  schema === 'pgboss' && /^queue_stats_\d+$/.test(name);

/** Every table with lasting rows of its own; partition parents have none. */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select n.nspname as schema, c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relkind = 'r' and n.nspname = any($1) group by 1, 2 order by 1, 2`,
    [SCHEMAS],
  );
  return rows.filter((table) => !isOfOneDay(table));
}

export async function listSequences(client: pg.ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select schemaname as schema, sequencename as name, last_value::text as value
       from pg_sequences where schemaname = any($1) order by 1, 2`,
    [SCHEMAS],
  );
  return rows;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const nameOf = ({ schema, name }: Pick<Table, 'schema' | 'name'>): string =>
  `${quoted(schema)}.${quoted(name)}`;

export const columnsOf = ({ columns }: Pick<Table, 'columns'>): string => columns.map(quoted).join(', ');

/** The newest migration of this database; 0 for none. */
export async function migrationOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ newest: string | null }>(
    'select max(created_at) as newest from drizzle.__drizzle_migrations',
  );
  return Number(rows[0]?.newest ?? 0);
}
