import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { chunk, indexBlock, source } from '../../../db/schema/knowledge.ts';
import type { Run, Tx } from '../../../db/scope.ts';
import type { AgentKey, ItemKey } from '../keys.ts';
import type { BuiltBlock } from './block.ts';
import { BYTES_A_POSTING, Postings } from './postings.ts';
import type { IndexStatistics } from '../search/ranking.ts';
import type { StoredSource } from '../source-store.ts';

/** Every statement on the index: blocks, chunks and postings. */

export interface SizedSource {
  id: string;
  characters: number;
}

type NewBlock = Pick<typeof indexBlock.$inferInsert, 'chunkCount' | 'wordCount' | 'languages'>;

/**
 * Deletes the blocks with passages of these sources, including everything in them; returns their other sources, in a
 * stable order.
 */
export async function dropBlocksOf(
  tx: Tx,
  { organizationId, knowledgeId }: ItemKey,
  sourceIds: string[],
): Promise<SizedSource[]> {
  const isOurs = eq(chunk.organizationId, organizationId);
  const held = tx
    .select({ id: chunk.blockId })
    .from(chunk)
    .where(and(isOurs, inArray(chunk.sourceId, sourceIds)));
  const neighbours = await tx
    .selectDistinct({ id: source.id, characters: sql<number>`${source.characters}` })
    .from(chunk)
    .innerJoin(source, eq(source.id, chunk.sourceId))
    .where(and(isOurs, inArray(chunk.blockId, held)))
    .orderBy(source.id);
  await tx
    .delete(indexBlock)
    .where(
      and(
        eq(indexBlock.organizationId, organizationId),
        eq(indexBlock.knowledgeId, knowledgeId),
        inArray(indexBlock.id, held),
      ),
    );
  const given = new Set(sourceIds);
  return neighbours.filter(({ id }) => !given.has(id));
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

/** Reserves a run of consecutive numbers; returns the first. They are used up even if the transaction rolls back. */
export async function reserveNumbers(tx: Tx, count: number): Promise<number> {
  const { rows } = await tx.execute<{ first: string }>(sql`select reserve_chunk_numbers(${count}) as first`);
  return Number(rows[0]?.first);
}

export async function addBlock(tx: Tx, item: ItemKey, block: NewBlock): Promise<number> {
  const [row] = await tx
    .insert(indexBlock)
    .values({ ...item, ...block })
    .returning({ id: indexBlock.id });
  if (!row) throw new Error('no block was created');
  return row.id;
}

/** All chunks of a block as one value, as produced by `buildBlock`. */
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

/** One statement for all terms: the entries are passed as one value and split in the database. */
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

/** What is known about an agent's index as a whole, as returned by the database. */
export interface StatisticsRow {
  chunks: number;
  words: number;
  /** Each block's languages, separated by spaces; an unknown one is an empty string. */
  together: string[] | null;
  /** Changes whenever blocks are added or removed; blocks themselves never change. */
  version: string;
}

/** A `StatisticsRow` as JSON, for a statement that needs it along with other data. */
export function statisticsSql(organizationId: SQL, agentId: SQL): SQL {
  return sql`(select json_build_object('chunks', coalesce(sum(chunk_count), 0), 'words', coalesce(sum(word_count), 0),
      'together', array_agg(distinct array_to_string(languages, ' ')),
      'version', concat_ws('.', count(*), sum(id), max(id)))
    from index_block where index_block.agent_id = ${agentId} and index_block.organization_id = ${organizationId})`;
}

export async function readStatistics(run: Run, key: AgentKey): Promise<IndexStatistics> {
  return statisticsOf(await readStatisticsRow(run, key));
}

export async function readStatisticsRow(
  run: Run,
  { organizationId, agentId }: AgentKey,
): Promise<StatisticsRow> {
  const [row] = await run<{ statistics: StatisticsRow }>(
    sql`select ${statisticsSql(sql`${organizationId}`, sql`${agentId}`)} as statistics`,
  );
  return (row as { statistics: StatisticsRow }).statistics;
}

export function statisticsOf({ chunks, words, together }: StatisticsRow): IndexStatistics {
  return { chunks, words, languageSets: (together ?? []).map((languages) => languages.split(' ')) };
}

/** The languages of an agent's texts, in no particular order. */
export const languagesOf = (row: StatisticsRow): string[] => statisticsOf(row).languageSets.flat();

export interface LanguageRow {
  language: string;
  chunks: number;
}

/** The languages of an agent's texts with the passages in blocks that contain them, most first. */
export async function readLanguages(run: Run, { organizationId, agentId }: AgentKey): Promise<LanguageRow[]> {
  return run<LanguageRow & Record<string, unknown>>(sql`
    select language, sum(chunk_count)::int as chunks from index_block, unnest(languages) as language
     where agent_id = ${agentId} and organization_id = ${organizationId} and language <> ''
     group by language order by chunks desc, language`);
}

/** The postings of those terms over all the agent's blocks; no entry for a term that occurs in no passage. */
export async function readPostings(
  run: Run,
  { organizationId, agentId }: AgentKey,
  terms: string[],
): Promise<Map<string, Postings>> {
  if (terms.length === 0) return new Map();
  const rows = await run<{ term: string; entries: Buffer }>(
    sql`select term, string_agg(entries, '') as entries from posting
     where agent_id = ${agentId} and term in ${terms} and organization_id = ${organizationId} group by term`,
  );
  return new Map(rows.map(({ term, entries }) => [term, new Postings(entries)]));
}

/** Terms in the agent's index with this prefix and a length in that range, and how many chunks contain each. */
export async function readTermsLike(
  run: Run,
  { organizationId, agentId }: AgentKey,
  beginning: string,
  [least, most]: [least: number, most: number],
): Promise<{ term: string; holding: number }[]> {
  return run(
    sql`select term, (sum(length(entries)) / 8)::int as holding from posting
     where agent_id = ${agentId} and term >= ${beginning}::text and term < ${beginning}::text || U&'\\+10FFFF'
       and char_length(term) between ${least} and ${most} and organization_id = ${organizationId} group by term`,
  );
}

/** A stored passage, with what its source says about it. */
export interface ChunkRow {
  number: number;
  chunkId: string;
  sourceId: string;
  knowledgeId: string;
  fileId: string | null;
  title: string;
  url: string | null;
  kind: StoredSource['kind'];
  card: StoredSource['card'];
  /** Empty if unknown. */
  language: string;
  headingPath: string[];
  page: number | null;
  offset: number;
  text: string;
}

export async function readChunks(
  run: Run,
  { organizationId, agentId }: AgentKey,
  numbers: number[],
): Promise<ChunkRow[]> {
  if (numbers.length === 0) return [];
  const rows = await run<Omit<ChunkRow, 'number'> & { number: string }>(
    sql`select c.number, c.id as "chunkId", c.source_id as "sourceId", s.knowledge_id as "knowledgeId", s.file_id as "fileId",
       s.title, s.url, s.kind, s.card, coalesce(s.language, '') as language, c.heading_path as "headingPath", c.page,
       c."offset", c.text
     from chunk c join source s on s.id = c.source_id
     where c.organization_id = ${organizationId} and c.agent_id = ${agentId} and c.number in ${numbers}`,
  );
  return rows.map((row) => ({ ...row, number: Number(row.number) }));
}
