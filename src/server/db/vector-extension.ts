import type pg from 'pg';

/** What PostgreSQL has for an index over vectors: the extension pgvector, and the indexes themselves. */

/**
 * Agents with more passages than this are searched by the index. Up to it comparing everything takes some 50 ms, 100 on a
 * machine that is very busy, misses nothing and gives the same each time; docs/decisions/0053-vector-index.md has the figures.
 */
export const LARGE_AGENT = 50_000;

/** The names of all have this beginning, and then the length of the vectors. */
const PREFIX = 'chunk_vector_bits_';

export const indexNameOf = (dimensions: number): string => `${PREFIX}${dimensions}`;

/** Version 0.8 is the first that goes on looking when what it found was of other agents. */
export const isNotOldSql = (version: string): string =>
  `(regexp_match(${version}, '^(\\d+)\\.(\\d+)'))::int[] >= '{0,8}'::int[]`;

export interface VectorIndex {
  name: string;
  dimensions: number;
  /** Otherwise its making ended in the middle. */
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

/** What the server has of the extension: `installed` in the database, or to be had. */
export interface Extension {
  /** Where its operators are; undefined when it is not in the database. */
  schema: string | undefined;
  version: string | undefined;
  isUsable: boolean;
  /** It could be put into the database as a version that is new enough. */
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
