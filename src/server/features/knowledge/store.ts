import { and, asc, desc, eq, getTableColumns, inArray, isNull, lte, sql, type SQL } from 'drizzle-orm';
import {
  KNOWLEDGE_LISTED_MAX_CHARACTERS,
  type FileReference,
  type KnowledgeState,
} from '../../../contract/knowledge.ts';
import { rowsOf, type Part } from '../../cursor.ts';
import { file, knowledge, source } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import type { AgentKey, ItemKey } from './keys.ts';

/** Every statement on knowledge items. */

export type StoredKnowledge = typeof knowledge.$inferSelect;
export type NewItem = typeof knowledge.$inferInsert;

export interface KnowledgeSummary extends StoredKnowledge {
  done: number;
  failed: number;
  total: number;
  characters: number;
  chunks: number;
  heldRevision: number | null;
}

export type ItemProgress = Pick<KnowledgeSummary, 'id' | 'state' | 'error' | 'done' | 'failed' | 'total'>;

/** For items `k`: each one's display title, by the same rule as `titleOfKnowledge`; a file is represented by its source. */
export const nameOfItem = sql`regexp_replace(left(split_part(coalesce(nullif(btrim(k.description, E' \\t\\r\\n'), ''),
  nullif(btrim(k.text, E' \\t\\r\\n'), ''), k.links ->> 0,
  (select s.title from source s where s.organization_id = k.organization_id and s.knowledge_id = k.id order by s.id limit 1), ''), E'\\n', 1), 121), '^(.{119}).{2}$', '\\1…')`;

/**
 * Counts a revision in progress for as long as it is being read, or else the active one: a re-sync shows its progress,
 * and sources found unchanged count as done.
 */
const summaries = sql`
  select k.id,
    count(s.id) filter (where s.state = 'ready')::int as done,
    count(s.id) filter (where s.state = 'failed')::int as failed,
    count(s.id)::int as total,
    coalesce(sum(s.characters) filter (where s.state = 'ready'), 0)::int as characters
  from knowledge k
  left join knowledge_revision r on r.knowledge_id = k.id and r.state = 'building'
  left join source s on s.knowledge_id = k.id and s.retired_in is null
   and (s.revision = coalesce(r.number, k.revision) or s.checked_in = coalesce(r.number, k.revision) or r.number is null)
   and s.revision <= coalesce(r.number, k.revision)`;

const isItem = ({ organizationId, agentId, knowledgeId }: ItemKey): SQL | undefined =>
  and(
    eq(knowledge.id, knowledgeId),
    eq(knowledge.agentId, agentId),
    eq(knowledge.organizationId, organizationId),
  );

/** Each item's progress, without its content: this is read for all items whenever one of them advances. */
export async function listProgress(tx: Tx, { organizationId, agentId }: AgentKey): Promise<ItemProgress[]> {
  const { rows } = await tx.execute<ItemProgress & Record<string, unknown>>(sql`
    select k.id, k.state, k.error, counted.done, counted.failed, counted.total
    from (${summaries} where k.organization_id = ${organizationId} and k.agent_id = ${agentId} group by k.id, r.number) counted
    join knowledge k on k.id = counted.id order by k.id desc`);
  return rows;
}

/** One item, or a part of the list. */
export type Items = Part & { id?: string };

/** The description shown in lists. It may be as long as a text: an untitled text is one. */
const shortDescription = sql<string>`case when char_length(${knowledge.description}) > ${KNOWLEDGE_LISTED_MAX_CHARACTERS}
  then left(${knowledge.description}, ${KNOWLEDGE_LISTED_MAX_CHARACTERS - 1}) || '…' else ${knowledge.description} end`;

/** Newest first. A single item includes its texts; several don't, because there can be megabytes. */
export async function listKnowledge(
  tx: Tx,
  { organizationId, agentId }: AgentKey,
  { id, ...part }: Items = {},
): Promise<KnowledgeSummary[]> {
  const isOfAgent = sql`k.organization_id = ${organizationId} and k.agent_id = ${agentId}`;
  const isOlder = part.after === undefined ? sql`true` : sql`k.id < ${part.after}`;
  const page = sql`select k.id from knowledge k where ${isOfAgent} and ${isOlder} order by k.id desc limit ${rowsOf(part)}`;
  const isWanted =
    id !== undefined ? sql`k.id = ${id}` : part.count === undefined ? sql`true` : sql`k.id in (${page})`;
  const counts = sql`(${summaries} where ${isOfAgent} and ${isWanted} group by k.id, r.number)`;
  const rows = await tx
    .select({
      item: {
        ...getTableColumns(knowledge),
        description: id === undefined ? shortDescription : sql<string>`${knowledge.description}`,
        text: sql<string | null>`${id === undefined ? null : knowledge.text}`,
      },
      done: sql<number>`counted.done`,
      failed: sql<number>`counted.failed`,
      total: sql<number>`counted.total`,
      characters: sql<number>`counted.characters`,
      chunks: sql<number>`(select coalesce(sum(b.chunk_count), 0)::int from index_block b where b.knowledge_id = knowledge.id)`,
      heldRevision: sql<number | null>`(select max(number) from knowledge_revision h
        where h.knowledge_id = knowledge.id and h.state = 'held')`,
    })
    .from(knowledge)
    .innerJoin(sql`${counts} as counted`, sql`counted.id = ${knowledge.id}`)
    .orderBy(desc(knowledge.id));
  return rows.map(({ item, ...numbers }) => ({ ...item, ...numbers }));
}

/** On sources: those of the agent that no newer revision has replaced. */
const standing = ({ organizationId, agentId }: AgentKey) =>
  and(eq(source.organizationId, organizationId), eq(source.agentId, agentId), isNull(source.retiredIn));

/** These items' files, by item; not those of a revision still being read. */
export async function listFiles(
  tx: Tx,
  key: AgentKey,
  knowledgeIds: string[],
): Promise<Map<string, FileReference[]>> {
  const rows = await tx
    .select({
      knowledgeId: source.knowledgeId,
      id: file.id,
      name: file.name,
      mediaType: file.mediaType,
      sizeBytes: file.sizeBytes,
    })
    .from(source)
    .innerJoin(file, eq(file.id, source.fileId))
    .innerJoin(knowledge, eq(knowledge.id, source.knowledgeId))
    .where(
      and(standing(key), inArray(source.knowledgeId, knowledgeIds), lte(source.revision, knowledge.revision)),
    )
    .orderBy(asc(source.id));
  return Map.groupBy(rows, ({ knowledgeId }) => knowledgeId);
}

/** Where the bytes of one of the item's files are, and its name. */
export async function findFile(tx: Tx, { knowledgeId, ...key }: ItemKey, fileId: string) {
  const [found] = await tx
    .select({ name: file.name, mediaType: file.mediaType, storageKey: file.storageKey })
    .from(source)
    .innerJoin(file, eq(file.id, source.fileId))
    .where(and(standing(key), eq(source.knowledgeId, knowledgeId), eq(file.id, fileId)))
    .limit(1);
  return found;
}

export async function insertKnowledge(tx: Tx, item: NewItem): Promise<void> {
  await tx.insert(knowledge).values(item);
}

/** Locked until the transaction ends: two runs of one item's job take turns. Undefined if it was deleted. */
export async function lockKnowledge(tx: Tx, key: ItemKey): Promise<StoredKnowledge | undefined> {
  const [found] = await tx.select().from(knowledge).where(isItem(key)).for('update');
  return found;
}

type ItemChanges = { [Name in keyof StoredKnowledge]?: StoredKnowledge[Name] | undefined };

/** Undefined fields stay as they are. */
export async function updateKnowledge(tx: Tx, key: ItemKey, changes: ItemChanges): Promise<void> {
  await tx
    .update(knowledge)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(isItem(key));
}

export async function setState(
  tx: Tx,
  key: ItemKey,
  state: KnowledgeState,
  error?: string | null,
): Promise<void> {
  await updateKnowledge(tx, key, { state, error });
}

/** An unnamed item consisting of one page takes the page's title. */
export async function nameAfterPage(tx: Tx, key: ItemKey, title: string): Promise<void> {
  const isUnnamed = and(eq(knowledge.description, ''), sql`jsonb_array_length(${knowledge.links}) = 1`);
  await tx
    .update(knowledge)
    .set({ description: title })
    .where(and(isItem(key), isUnnamed));
}

/** If it still has the name `from`. */
export async function renameKnowledge(tx: Tx, key: ItemKey, from: string, to: string): Promise<void> {
  await tx
    .update(knowledge)
    .set({ description: to })
    .where(and(isItem(key), eq(knowledge.description, from)));
}

/** With its sources, passages and index; files that only it had are deleted too, and their bytes follow. */
export async function deleteKnowledge(tx: Tx, key: ItemKey): Promise<void> {
  await tx.delete(knowledge).where(isItem(key));
}
