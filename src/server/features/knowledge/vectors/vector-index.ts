import type pg from 'pg';
import type { Tx } from '../../../db/scope.ts';
import { indexNameOf, isNotOldSql } from '../../../db/vector-extension.ts';

/**
 * An index over the signs of vectors (HNSW, from the extension pgvector), for agents with so many passages that an
 * exhaustive comparison takes too long. It is built outside migrations, because not every server has the extension or
 * lets us use it; without it, or if it returns too few, everything is compared.
 */

/** How many candidates are compared by their full numbers: enough to include the ten best. */
export const CANDIDATES = 200;

/**
 * How many graph nodes are examined before the first candidate is returned: more than needed, or the distant ones would
 * be random.
 */
const EF_SEARCH = 400;
/**
 * Other agents' passages are skipped, and the search continues this far: enough for an agent with a twentieth of the
 * total. For a smaller one, this would take longer than comparing everything, which is done instead.
 */
const MAX_SCANNED = 5_000;

/** Builds the index, in the schema `extension`. One per vector length, since an index only holds one length. */
export function createIndexSql(dimensions: number, extension: string): string {
  const bits = bitsSql(dimensions);
  return `create index concurrently ${indexNameOf(dimensions)} on public.chunk_vector
    using hnsw ((bits::${bits}) ${extension}.bit_hamming_ops) where length(bits) = ${dimensions}`;
}

/** The candidates for $1 (agent), $2 (organization), $3 (model), $5 (the question's signs), by the index. */
export function nearestByIndexSql(dimensions: number, extension: string): string {
  const bits = bitsSql(dimensions);
  return `select chunk_id from chunk_vector
    where agent_id = $1 and organization_id = $2 and model = $3 and length(bits) = ${dimensions}
    order by bits::${bits} operator(${extension}.<~>) $5::${bits} limit ${CANDIDATES}`;
}

const bitsSql = (dimensions: number): string => `bit(${dimensions})`;

/**
 * Configures index scans for this transaction, if there is a usable index. Returns the extension's schema, or else
 * undefined. Sorting is disabled, because PostgreSQL underestimates agents' sizes (row-level security and the condition
 * on the organization are counted twice) and would prefer to sort everything.
 */
export async function enterIndex(tx: Tx, dimensions: number): Promise<string | undefined> {
  const { rows } = await tx.$client.query<{ schema: string }>(
    `select quote_ident(n.nspname) as schema,
       set_config('enable_sort', 'off', true),
       set_config('hnsw.iterative_scan', 'relaxed_order', true),
       set_config('hnsw.ef_search', '${EF_SEARCH}', true),
       set_config('hnsw.max_scan_tuples', '${MAX_SCANNED}', true)
     from pg_extension e join pg_namespace n on n.oid = e.extnamespace
     where e.extname = 'vector' and ${isNotOldSql('e.extversion')} and has_schema_privilege(n.oid, 'usage') and exists (
       select from pg_index where indexrelid = to_regclass($1) and indisvalid)`,
    [`public.${indexNameOf(dimensions)}`],
  );
  return rows[0]?.schema;
}

/** Enables sorting again, for the transaction's other reads. */
export async function leaveIndex(tx: Tx): Promise<void> {
  await tx.$client.query(`select set_config('enable_sort', 'on', true)`);
}

/** The agent with the most vectors of a model, among those with more than `least` passages. */
export interface LargestAgent {
  agentId: string;
  vectors: number;
  dimensions: number;
}

export async function readLargest(
  owner: pg.Pool | pg.ClientBase,
  model: string,
  least: number,
): Promise<LargestAgent | undefined> {
  const { rows } = await owner.query<LargestAgent>(
    `select large.agent_id as "agentId", counted.vectors, one.dimensions
     from (select agent_id from index_block group by agent_id having sum(chunk_count) > $2) as large,
       lateral (select count(*)::int as vectors from chunk_vector v
                where v.agent_id = large.agent_id and v.model = $1) as counted,
       lateral (select length(v.bits) as dimensions from chunk_vector v
                where v.agent_id = large.agent_id and v.model = $1 limit 1) as one
     order by counted.vectors desc limit 1`,
    [model, least],
  );
  return rows[0];
}
