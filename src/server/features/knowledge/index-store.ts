import { eq, inArray, sql } from 'drizzle-orm';
import { chunk, indexBlock, source } from '../../db/schema/knowledge.ts';
import type { Tx } from '../../db/scope.ts';
import { Postings } from './postings.ts';
import type { IndexStatistics } from './ranking.ts';

/** Every statement on the index: blocks, chunks and postings. Row-level security keeps each to the transaction's organization. */

export interface ItemKey {
  organizationId: string;
  agentId: string;
  knowledgeId: string;
}

type NewChunk = typeof chunk.$inferInsert;
type NewBlock = Pick<typeof indexBlock.$inferInsert, 'chunkCount' | 'wordCount' | 'languages'>;

export interface PackedPostings {
  terms: string[];
  /** Bytes that each term has in `entries`. */
  sizes: number[];
  entries: Buffer;
}

/** The blocks that hold passages of these sources, removed with all they hold; answers the other sources they held. */
export async function dropBlocksOf(tx: Tx, sourceIds: string[]): Promise<string[]> {
  const held = tx.select({ id: chunk.blockId }).from(chunk).where(inArray(chunk.sourceId, sourceIds));
  const neighbours = await tx
    .selectDistinct({ id: chunk.sourceId })
    .from(chunk)
    .where(inArray(chunk.blockId, held));
  await tx.delete(indexBlock).where(inArray(indexBlock.id, held));
  return neighbours.map(({ id }) => id).filter((id) => !sourceIds.includes(id));
}

export async function sourceTexts(tx: Tx, sourceIds: string[]) {
  return tx
    .select({ id: source.id, title: source.title, text: sql<string>`coalesce(${source.text}, '')` })
    .from(source)
    .where(inArray(source.id, sourceIds))
    .orderBy(source.id);
}

export async function setLanguages(tx: Tx, languages: Record<string, string>): Promise<void> {
  await tx.execute(sql`
    update source set language = given.value
    from jsonb_each_text(${JSON.stringify(languages)}::jsonb) as given where source.id = given.key`);
}

export async function newChunkNumbers(tx: Tx, count: number): Promise<number[]> {
  const { rows } = await tx.execute<{ number: string }>(
    sql`select nextval('chunk_number') as number from generate_series(1, ${count})`,
  );
  return rows.map(({ number }) => Number(number));
}

export async function addBlock(tx: Tx, item: ItemKey, block: NewBlock): Promise<number> {
  const [row] = await tx
    .insert(indexBlock)
    .values({ ...item, ...block })
    .returning({ id: indexBlock.id });
  if (!row) throw new Error('no block was made');
  return row.id;
}

export async function addChunks(tx: Tx, chunks: NewChunk[]): Promise<void> {
  const columns = ['id', 'number', 'source_id', 'ordinal', 'text', 'heading_path', 'page', 'offset'] as const;
  const rows = chunks.map((row) => [
    row.id,
    row.number,
    row.sourceId,
    row.ordinal,
    row.text,
    row.headingPath,
    row.page,
    row.offset,
  ]);
  const records = JSON.stringify(
    rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]]))),
  );
  const [first] = chunks;
  if (!first) return;
  await tx.execute(sql`
    insert into chunk (organization_id, agent_id, block_id, id, number, source_id, ordinal, text, heading_path, page, "offset")
    select ${first.organizationId}, ${first.agentId}, ${first.blockId}::bigint, r.*
    from jsonb_to_recordset(${records}::jsonb) as r(
      id text, number bigint, source_id text, ordinal int, text text, heading_path jsonb, page int, "offset" int)`);
}

/** One statement for all terms: the entries travel as one value and are cut up in the database. */
export async function addPostings(
  tx: Tx,
  item: ItemKey,
  blockId: number,
  packed: PackedPostings,
): Promise<void> {
  await tx.$client.query(
    `insert into posting (organization_id, agent_id, block_id, term, entries)
     select $1, $2, $3, term, substring($6::bytea from (sum(size) over (order by place) - size + 1)::int for size)
     from unnest($4::text[], $5::int[]) with ordinality as given(term, size, place)`,
    [item.organizationId, item.agentId, blockId, packed.terms, packed.sizes, packed.entries],
  );
}

export async function readStatistics(tx: Tx, agentId: string): Promise<IndexStatistics> {
  const { rows } = await tx.$client.query<{ chunks: number; words: number; languages: string[] | null }>(
    `select coalesce(sum(chunk_count), 0)::int as chunks, coalesce(sum(word_count), 0)::float8 as words,
       (select array_agg(distinct language) from index_block, unnest(languages) as language where agent_id = $1) as languages
     from index_block where agent_id = $1`,
    [agentId],
  );
  return { chunks: rows[0]?.chunks ?? 0, words: rows[0]?.words ?? 0, languages: rows[0]?.languages ?? [] };
}

/** The postings of those terms over all the agent's blocks; no entry for a term that no passage holds. */
export async function readPostings(tx: Tx, agentId: string, terms: string[]): Promise<Map<string, Postings>> {
  if (terms.length === 0) return new Map();
  const { rows } = await tx.$client.query<{ term: string; entries: Buffer }>(
    `select term, string_agg(entries, '') as entries from posting
     where agent_id = $1 and term = any($2) group by term`,
    [agentId, terms],
  );
  return new Map(rows.map(({ term, entries }) => [term, new Postings(entries)]));
}

/** Terms of the agent's index with this beginning and a length between those, and how many chunks hold each. */
export async function readTermsLike(
  tx: Tx,
  agentId: string,
  beginning: string,
  lengths: [least: number, most: number],
) {
  const { rows } = await tx.$client.query<{ term: string; holding: number }>(
    `select term, (sum(length(entries)) / 8)::int as holding from posting
     where agent_id = $1 and term >= $2 and term < $2 || U&'\\+10FFFF' and char_length(term) between $3 and $4 group by term`,
    [agentId, beginning, ...lengths],
  );
  return rows;
}

export async function readChunks(tx: Tx, agentId: string, numbers: number[]) {
  return tx
    .select({
      number: chunk.number,
      chunkId: chunk.id,
      sourceId: chunk.sourceId,
      knowledgeId: source.knowledgeId,
      fileId: source.fileId,
      title: source.title,
      url: source.url,
      language: sql<string>`coalesce(${source.language}, '')`,
      headingPath: chunk.headingPath,
      page: chunk.page,
      offset: chunk.offset,
      text: chunk.text,
    })
    .from(chunk)
    .innerJoin(source, eq(source.id, chunk.sourceId))
    .where(sql`${chunk.agentId} = ${agentId} and ${chunk.number} = any(${sql.param(numbers)}::bigint[])`);
}

export type ChunkRow = Awaited<ReturnType<typeof readChunks>>[number];
