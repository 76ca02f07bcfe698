import { and, eq, inArray } from 'drizzle-orm';
import type pg from 'pg';
import { chunk, source } from '../../../db/schema/knowledge.ts';
import type { Tx } from '../../../db/scope.ts';
import { LARGE_AGENT } from '../../../db/vector-extension.ts';
import type { Embedder, Vector } from '../../../llm/embed.ts';
import type { AgentKey } from '../keys.ts';
import { CANDIDATES, enterIndex, leaveIndex, nearestByIndexSql } from './vector-index.ts';
import { bitsOf, bytesOf, similarityTo } from './vectors.ts';

/** Every statement on vectors. */

export interface Asked {
  model: string;
  vector: Vector;
}

/** What a question is compared with. */
export interface Among {
  /** Passages, by number, that are always compared. */
  also: number[];
  /** The agent's number of passages: a very large number is searched by an index, if there is one. */
  passages: number;
}

/**
 * The agent's passages most similar to a question, and those in `also`: first by the signs of their numbers, then by
 * the numbers themselves. Passages without a vector from the model are excluded. For an agent of up to `LARGE_AGENT`
 * passages, all signs are compared; for a larger one, the index finds nearly the same.
 */
export async function readSimilar(
  tx: Tx,
  key: AgentKey,
  asked: Asked,
  { also, passages }: Among,
): Promise<Map<number, number>> {
  const byIndex = passages > LARGE_AGENT ? await readByIndex(tx, key, asked, also) : undefined;
  const rows = byIndex ?? (await readRows(tx, key, asked, { nearest: NEAREST_OF_ALL, also }));
  return new Map(rows.map(({ number, vector }) => [Number(number), similarityTo(asked.vector, vector)]));
}

/** Undefined if there is no usable index, or it returns too few because others' passages are much closer. */
async function readByIndex(
  tx: Tx,
  key: AgentKey,
  asked: Asked,
  also: number[],
): Promise<SimilarRow[] | undefined> {
  const dimensions = asked.vector.length;
  const schema = await enterIndex(tx, dimensions);
  if (schema === undefined) return undefined;
  const rows = await readRows(tx, key, asked, { nearest: nearestByIndexSql(dimensions, schema), also });
  await leaveIndex(tx);
  return (rows[0]?.near ?? 0) < CANDIDATES ? undefined : rows;
}

const NEAREST_OF_ALL = `select chunk_id from chunk_vector
  where agent_id = $1 and organization_id = $2 and model = $3 and length(bits) = $4
  order by bit_count(bits # $5::varbit), chunk_id limit ${CANDIDATES}`;

interface SimilarRow {
  number: string;
  vector: Buffer;
  /** How many candidates there were besides those in `also`; the same in all rows. */
  near: number;
}

async function readRows(
  tx: Tx,
  { organizationId, agentId }: AgentKey,
  { model, vector }: Asked,
  { nearest, also }: { nearest: string; also: number[] },
): Promise<SimilarRow[]> {
  const { rows } = await tx.$client.query<SimilarRow>(
    `with nearest as materialized (${nearest}),
      chosen as (
        select chunk_id from nearest
        union select id from chunk where agent_id = $1 and organization_id = $2 and number = any($6::bigint[]))
      select c.number, v.vector, (select count(*)::int from nearest) as near
      from chosen join chunk_vector v using (chunk_id) join chunk c on c.id = v.chunk_id
      where v.organization_id = $2 and v.model = $3 and length(v.bits) = $4`,
    [agentId, organizationId, model, vector.length, bitsOf(vector), also],
  );
  return rows;
}

/**
 * Passages without a vector from the model, by id, after `after`. Vectors of another size count as none. Passages the
 * model has rejected are left out until they are due to be retried.
 */
export async function listUnembedded(
  tx: Tx,
  { organizationId, agentId }: AgentKey,
  { name, dimensions }: Pick<Embedder, 'name' | 'dimensions'>,
  { after, most }: { after: string; most: number },
): Promise<string[]> {
  const { rows } = await tx.$client.query<{ id: string }>(
    `select c.id from index_block b join chunk c on c.block_id = b.id
     where b.agent_id = $1 and b.organization_id = $2 and c.id > $3
       and (c.refused_by is distinct from $4 or c.ask_again_at <= now()) and not exists (
       select from chunk_vector v
       where v.chunk_id = c.id and v.model = $4 and ($5::int is null or length(v.bits) = $5))
     order by c.id limit $6`,
    [agentId, organizationId, after, name, dimensions() ?? null, most],
  );
  return rows.map(({ id }) => id);
}

/** The texts of those of these passages that still exist. */
export async function readTexts(tx: Tx, { organizationId, agentId }: AgentKey, chunkIds: string[]) {
  return tx
    .select({ chunkId: chunk.id, title: source.title, headingPath: chunk.headingPath, text: chunk.text })
    .from(chunk)
    .innerJoin(source, eq(source.id, chunk.sourceId))
    .where(
      and(eq(chunk.organizationId, organizationId), eq(chunk.agentId, agentId), inArray(chunk.id, chunkIds)),
    );
}

export type PassageText = Awaited<ReturnType<typeof readTexts>>[number];

/**
 * Stores vectors, replacing the passages' previous ones. A passage that has been deleted meanwhile, or is being deleted
 * at this moment, gets none.
 */
export async function writeVectors(
  tx: Tx,
  { organizationId, agentId }: AgentKey,
  model: string,
  vectors: { chunkId: string; vector: Vector }[],
): Promise<void> {
  await tx.$client.query(
    `with written as (
       insert into chunk_vector (chunk_id, organization_id, agent_id, model, bits, vector)
       select c.id, c.organization_id, c.agent_id, $3, given.bits::varbit, given.vector
       from unnest($4::text[], $5::text[], $6::bytea[]) as given(id, bits, vector)
       join chunk c on c.id = given.id and c.agent_id = $1 and c.organization_id = $2
       order by c.id for key share of c skip locked
       on conflict (chunk_id) do update set model = excluded.model, bits = excluded.bits, vector = excluded.vector
       returning chunk_id)
     update chunk c set refused_by = null, refusal = null, refused_times = 0, ask_again_at = null
     from written where c.id = written.chunk_id and c.refused_by is not null`,
    [
      agentId,
      organizationId,
      model,
      vectors.map(({ chunkId }) => chunkId),
      vectors.map(({ vector }) => bitsOf(vector)),
      vectors.map(({ vector }) => bytesOf(vector)),
    ],
  );
}

/**
 * Records that the model rejected this passage. After the n-th time it waits for the n-th of `rests`, in minutes, and
 * after the last of them forever. Deleting the passage, or rewriting it because its item has changed, deletes the
 * record too.
 */
export async function writeRefusal(
  tx: Tx,
  { organizationId, agentId }: AgentKey,
  model: string,
  { chunkId, refusal, rests }: { chunkId: string; refusal: string; rests: number[] },
): Promise<void> {
  await tx.$client.query(
    `update chunk c set refused_by = $4, refusal = $5, refused_times = told.times,
       ask_again_at = now() + make_interval(mins => ($6::int[])[told.times])
     from (select id, case when refused_by = $4 then refused_times else 0 end + 1 as times from chunk where id = $3) told
     where c.id = told.id and c.agent_id = $1 and c.organization_id = $2`,
    [agentId, organizationId, chunkId, model, refusal, rests],
  );
}

/** Agents of all organizations with passages that still need a vector from the model: counted by block, not by passage. */
export async function listAgentsToEmbed(owner: pg.Pool, model: string): Promise<AgentKey[]> {
  const { rows } = await owner.query<AgentKey>(
    `select b.organization_id as "organizationId", b.agent_id as "agentId"
     from index_block b join agent a on a.id = b.agent_id
     where a.deleted_at is null
     group by b.organization_id, b.agent_id
     having sum(b.chunk_count) > (select count(*) from chunk_vector v where v.agent_id = b.agent_id and v.model = $1)
       + (select count(*) from chunk c where c.agent_id = b.agent_id and c.refused_by = $1
          and (c.ask_again_at is null or c.ask_again_at > now()))
     order by min(b.id)`,
    [model],
  );
  return rows;
}

/** The fixed beginnings of the notes kept on an item here; their endings vary. */
const SIGNS = {
  waits: 'It is found by its words only, for now: ',
  refused: 'The embedding model refuses some of its passages, which are found by their words only: ',
};

/**
 * Records on an agent's items why some of their passages have no vector, replacing an older note of the same kind;
 * other problems with an item take precedence. `reason`: why none get one. Returns how many items changed.
 */
export async function explainUnembedded(
  tx: Tx,
  { organizationId, agentId }: AgentKey,
  model: string,
  reason: string | undefined,
): Promise<number> {
  const { rowCount } = await tx.$client.query(
    `with refused as (
       select b.knowledge_id, max(c.refusal) as refusal, bool_or(c.ask_again_at is not null) as again
       from chunk c join index_block b on b.id = c.block_id
       where c.agent_id = $1 and c.refused_by = $3 group by b.knowledge_id)
     update knowledge k set error = told.error
     from (
       select i.id, case
         when $4::text is not null and exists (
           select from index_block b join chunk c on c.block_id = b.id
           where b.knowledge_id = i.id and c.refused_by is distinct from $3 and not exists (
             select from chunk_vector v where v.chunk_id = c.id and v.model = $3)) then $5 || $4
         when r.again then $6 || r.refusal || ' It will be asked again.'
         when not r.again then $6 || r.refusal || ' It is not asked again until the item or the model changes.'
         end as error
       from knowledge i left join refused r on r.knowledge_id = i.id
       where i.agent_id = $1 and i.organization_id = $2) told
     where k.id = told.id and k.state = 'ready'
       and (k.error is null or starts_with(k.error, $5) or starts_with(k.error, $6))
       and k.error is distinct from told.error`,
    [agentId, organizationId, model, reason ?? null, SIGNS.waits, SIGNS.refused],
  );
  return rowCount ?? 0;
}
