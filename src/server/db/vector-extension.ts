import type pg from 'pg';

/** PostgreSQL's support for indexing vectors: the extension pgvector, and the indexes themselves. */

/**
 * Agents with more passages than this are searched by the index. Up to this size, comparing everything takes about 50
 * ms, or 100 on a very busy machine, misses nothing and is deterministic; docs/decisions/0053-vector-index.md has the
 * figures.
 */
export const LARGE_AGENT = 50_000;

/** The common prefix of their names, followed by the vectors' length. */
const PREFIX = 'chunk_vector_bits_';

export const indexNameOf = (dimensions: number): string => `${PREFIX}${dimensions}`;

/** Version 0.8 is the first that keeps searching when its matches belong to other agents. */
export const isNotOldSql = (version: string): string =>
  `(regexp_match(${version}, '^(\\d+)\\.(\\d+)'))::int[] >= '{0,8}'::int[]`;

export interface VectorIndex {
  name: string;
  dimensions: number;
  /** False if building it was interrupted. */
  isValid: boolean;
}

export async function listIndexes(owner: pg.Pool | pg.ClientBase): Promise<VectorIndex[]> {
  const { rows } = await owner.query<VectorIndex>(
    `select c.relname as name, substr(c.relname, length($1) + 1)::int as dimensions, i.indisvalid as "isValid"
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = 'public.chunk_vector'::regclass and c.relname ~ ('^' || $1 || '\\d{1,5}$')
     order by c.relname`,
    [PREFIX],
  );
  return rows;
}

/** The extension's status on the server: `installed` in the database, or available. */
export interface Extension {
  /** The schema of its operators; undefined if it isn't in the database. */
  schema: string | undefined;
  version: string | undefined;
  isUsable: boolean;
  /** A sufficiently new version could be installed in the database. */
  isToBeHad: boolean;
}

export async function readExtension(owner: pg.Pool | pg.ClientBase): Promise<Extension> {
  const { rows } = await owner.query<Record<keyof Extension, unknown>>(
    `select (select quote_ident(n.nspname) from pg_namespace n where n.oid = e.extnamespace) as schema,
       coalesce(e.extversion, a.default_version) as version,
       coalesce(${isNotOldSql('e.extversion')}, false) as "isUsable",
       coalesce(e.oid is null and ${isNotOldSql('a.default_version')}, false) as "isToBeHad"
     from (values ('vector')) as wanted(name)
     left join pg_extension e on e.extname = wanted.name
     left join pg_available_extensions a on a.name = wanted.name`,
  );
  const [row] = rows;
  return {
    schema: textOf(row?.schema),
    version: textOf(row?.version),
    isUsable: row?.isUsable === true,
    isToBeHad: row?.isToBeHad === true,
  };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
