import { and, eq, inArray, sql } from 'drizzle-orm';
import { chunk, indexBlock, source } from '../../db/schema/knowledge.ts';
import type { Tx } from '../../db/scope.ts';
import type { AgentKey, ItemKey } from './keys.ts';
import type { BuiltBlock } from './block.ts';
import { BYTES_A_POSTING, Postings } from './postings.ts';
import type { IndexStatistics } from './ranking.ts';

/** Every statement on the index: blocks, chunks and postings. */

type NewBlock = Pick<typeof indexBlock.$inferInsert, 'chunkCount' | 'wordCount' | 'languages'>;

/** The blocks that hold passages of these sources, removed with all they hold; answers the other sources they held. */
export async function dropBlocksOf(
  tx: Tx,
  { organizationId, knowledgeId }: ItemKey,
  sourceIds: string[],
): Promise<string[]> {
  const isOurs = eq(chunk.organizationId, organizationId);
  const held = tx
    .select({ id: chunk.blockId })
    .from(chunk)
    .where(and(isOurs, inArray(chunk.sourceId, sourceIds)));
  const neighbours = await tx
    .selectDistinct({ id: chunk.sourceId })
    .from(chunk)
    .where(and(isOurs, inArray(chunk.blockId, held)));
  await tx
    .delete(indexBlock)
    .where(
      and(
        eq(indexBlock.organizationId, organizationId),
        eq(indexBlock.knowledgeId, knowledgeId),
        inArray(indexBlock.id, held),
      ),
    );
  return neighbours.map(({ id }) => id).filter((id) => !sourceIds.includes(id));
}

export async function sourceTexts(tx: Tx, { organizationId, knowledgeId }: ItemKey, sourceIds: string[]) {
  return tx
    .select({ id: source.id, title: source.title, text: sql<string>`coalesce(${source.text}, '')` })
    .from(source)
    .where(
      and(
        eq(source.organizationId, organizationId),
        eq(source.knowledgeId, knowledgeId),
        inArray(source.id, sourceIds),
      ),
    )
    .orderBy(source.id);
}

export async function setLanguages(
  tx: Tx,
  { organizationId, knowledgeId }: ItemKey,
  languages: Record<string, string>,
): Promise<void> {
  await tx.execute(sql`
    update source set language = given.value
    from jsonb_each_text(${JSON.stringify(languages)}::jsonb) as given
     where source.id = given.key and knowledge_id = ${knowledgeId} and organization_id = ${organizationId}`);
}

/** As many numbers in a row; answers the first. They are used up, whatever becomes of the transaction. */
export async function reserveNumbers(tx: Tx, count: number): Promise<number> {
  const { rows } = await tx.execute<{ first: string }>(sql`select reserve_chunk_numbers(${count}) as first`);
  return Number(rows[0]?.first);
}

export async function addBlock(tx: Tx, item: ItemKey, block: NewBlock): Promise<number> {
  const [row] = await tx
    .insert(indexBlock)
    .values({ ...item, ...block })
    .returning({ id: indexBlock.id });
  if (!row) throw new Error('no block was made');
  return row.id;
}

/** All chunks of a block as one value, as `buildBlock` makes it. */
export async function addChunks(
  tx: Tx,
  { organizationId, agentId }: ItemKey,
  { blockId, firstNumber, chunks }: { blockId: number; firstNumber: number; chunks: string },
): Promise<void> {
  await tx.$client.query(
    `insert into chunk (organization_id, agent_id, block_id, id, number, source_id, ordinal, text, heading_path, page, "offset")
     select $1, $2, $3, id, $4::bigint + place, source_id, ordinal, text, heading_path, page, "offset"
     from jsonb_to_recordset($5::jsonb) as r(
       id text, place int, source_id text, ordinal int, text text, heading_path jsonb, page int, "offset" int)`,
    [organizationId, agentId, blockId, firstNumber, chunks],
  );
}

/** One statement for all terms: the entries travel as one value and are cut up in the database. */
export async function addPostings(
  tx: Tx,
  { organizationId, agentId }: ItemKey,
  blockId: number,
  { terms, counts, postings }: Pick<BuiltBlock, 'terms' | 'counts' | 'postings'>,
): Promise<void> {
  const entries = Buffer.from(postings.buffer, postings.byteOffset, postings.byteLength);
  await tx.$client.query(
    `insert into posting (organization_id, agent_id, block_id, term, entries)
     select $1, $2, $3, term,
       substring($6::bytea from ((sum(count) over (order by place) - count) * ${BYTES_A_POSTING} + 1)::int for count * ${BYTES_A_POSTING})
     from rows from (jsonb_array_elements_text($4::jsonb), jsonb_array_elements_text($5::jsonb)) with ordinality
       as given(term, counted, place), lateral (select counted::int as count) as number`,
    [organizationId, agentId, blockId, terms, counts, entries],
  );
}

export async function readStatistics(
  tx: Tx,
  { organizationId, agentId }: AgentKey,
): Promise<IndexStatistics> {
  const { rows } = await tx.$client.query<{ chunks: number; words: number; together: string[] | null }>(
    `select coalesce(sum(chunk_count), 0)::int as chunks, coalesce(sum(word_count), 0)::float8 as words,
       array_agg(distinct array_to_string(languages, ' ')) as together
     from index_block where agent_id = $1 and organization_id = $2`,
    [agentId, organizationId],
  );
  const [found] = rows;
  const together = found?.together ?? [];
  return {
    chunks: found?.chunks ?? 0,
    words: found?.words ?? 0,
    // An unknown language is an empty text.
    languageSets: together.map((languages) => languages.split(' ')),
  };
}

/** The postings of those terms over all the agent's blocks; no entry for a term that no passage holds. */
export async function readPostings(
  tx: Tx,
  { organizationId, agentId }: AgentKey,
  terms: string[],
): Promise<Map<string, Postings>> {
  if (terms.length === 0) return new Map();
  const { rows } = await tx.$client.query<{ term: string; entries: Buffer }>(
    `select term, string_agg(entries, '') as entries from posting
     where agent_id = $1 and term = any($2) and organization_id = $3 group by term`,
    [agentId, terms, organizationId],
  );
  return new Map(rows.map(({ term, entries }) => [term, new Postings(entries)]));
}

/** Terms of the agent's index with this beginning and a length between those, and how many chunks hold each. */
export async function readTermsLike(
  tx: Tx,
  { organizationId, agentId }: AgentKey,
  beginning: string,
  lengths: [least: number, most: number],
) {
  const { rows } = await tx.$client.query<{ term: string; holding: number }>(
    `select term, (sum(length(entries)) / 8)::int as holding from posting
     where agent_id = $1 and term >= $2 and term < $2 || U&'\\+10FFFF' and char_length(term) between $3 and $4
       and organization_id = $5 group by term`,
    [agentId, beginning, ...lengths, organizationId],
  );
  return rows;
}

export async function readChunks(tx: Tx, { organizationId, agentId }: AgentKey, numbers: number[]) {
  return tx
    .select({
      number: chunk.number,
      chunkId: chunk.id,
      sourceId: chunk.sourceId,
      knowledgeId: source.knowledgeId,
      fileId: source.fileId,
      title: source.title,
      url: source.url,
      kind: source.kind,
      card: source.card,
      language: sql<string>`coalesce(${source.language}, '')`,
      headingPath: chunk.headingPath,
      page: chunk.page,
      offset: chunk.offset,
      text: chunk.text,
    })
    .from(chunk)
    .innerJoin(source, eq(source.id, chunk.sourceId))
    .where(
      and(
        eq(chunk.organizationId, organizationId),
        eq(chunk.agentId, agentId),
        sql`${chunk.number} = any(${sql.param(numbers)}::bigint[])`,
      ),
    );
}

export type ChunkRow = Awaited<ReturnType<typeof readChunks>>[number];
