import type pg from 'pg';
import type { Tx } from '../../../db/scope.ts';
import { indexNameOf, isNotOldSql } from '../../../db/vector-extension.ts';

/**
 * An index over the signs of vectors (HNSW of the extension pgvector), for agents with so many passages that comparing all
 * takes too long. It is made outside migrations, since not every server has the extension or lets us use it; without it,
 * or when it does not bring enough, everything is compared.
 */

/** As many candidates as are compared by their full numbers: enough that the ten best are among them. */
export const CANDIDATES = 200;

/** Of the graph, this many are looked at before the first candidate is given: more than are wanted, or the far ones are chance. */
const EF_SEARCH = 400;
/**
 * What belongs to other agents is passed over, and so far it is looked for more: enough for an agent that has a twentieth of
 * everything. One that has less would wait longer for this than for comparing everything, which is done then.
 */
const MAX_SCANNED = 5_000;

/** Makes the index, in the schema `extension`. One for each length of vectors, since it holds one length only. */
export function createIndexSql(dimensions: number, extension: string): string {
  const bits = bitsSql(dimensions);
  return `create index concurrently ${indexNameOf(dimensions)} on public.chunk_vector
    using hnsw ((bits::${bits}) ${extension}.bit_hamming_ops) where length(bits) = ${dimensions}`;
}

/** The candidates of $1 (agent), $2 (organization), $3 (model), $5 (the question's signs), by the index. */
export function nearestByIndexSql(dimensions: number, extension: string): string {
  const bits = bitsSql(dimensions);
  return `select chunk_id from chunk_vector
    where agent_id = $1 and organization_id = $2 and model = $3 and length(bits) = ${dimensions}
    order by bits::${bits} operator(${extension}.<~>) $5::${bits} limit ${CANDIDATES}`;
}

const bitsSql = (dimensions: number): string => `bit(${dimensions})`;

/**
 * Settles, for this transaction, how the index is gone through, when there is one that can be used. Answers the schema of
 * the extension, else undefined. Sorting is made unattractive, because PostgreSQL takes agents for smaller than they are
 * (row-level security and the condition on the organization count twice) and would rather sort everything.
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

/** Sorting is as good as it was, for what else is read in the transaction. */
export async function leaveIndex(tx: Tx): Promise<void> {
  await tx.$client.query(`select set_config('enable_sort', 'on', true)`);
}

/** The agent with the most vectors of a model, of those with more than `least` passages. */
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
