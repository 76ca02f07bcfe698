import { and, asc, desc, eq, inArray, notInArray, sql } from 'drizzle-orm';
import type { FileReference, KnowledgeState } from '../../../contract/knowledge.ts';
import { file, knowledge, source } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';

/** Every statement on items and their sources; each names the item's agent or organization beside row-level security. */

export type StoredKnowledge = typeof knowledge.$inferSelect;
export type StoredSource = typeof source.$inferSelect;
export type NewSource = Pick<
  typeof source.$inferInsert,
  'kind' | 'title' | 'url' | 'fileId' | 'text' | 'state'
>;

export interface KnowledgeSummary extends StoredKnowledge {
  done: number;
  failed: number;
  total: number;
  characters: number;
  chunks: number;
}

const counts = {
  done: sql<number>`(select count(*)::int from source s where s.knowledge_id = knowledge.id and s.state = 'ready')`,
  failed: sql<number>`(select count(*)::int from source s where s.knowledge_id = knowledge.id and s.state = 'failed')`,
  total: sql<number>`(select count(*)::int from source s where s.knowledge_id = knowledge.id)`,
  characters: sql<number>`(select coalesce(sum(length(s.text)), 0)::int from source s where s.knowledge_id = knowledge.id)`,
  chunks: sql<number>`(select coalesce(sum(b.chunk_count), 0)::int from index_block b where b.knowledge_id = knowledge.id)`,
};

export async function listKnowledge(tx: Tx, agentId: string, id?: string): Promise<KnowledgeSummary[]> {
  const rows = await tx
    .select({ item: knowledge, ...counts })
    .from(knowledge)
    .where(and(eq(knowledge.agentId, agentId), id === undefined ? undefined : eq(knowledge.id, id)))
    .orderBy(desc(knowledge.createdAt), desc(knowledge.id));
  return rows.map(({ item, ...numbers }) => ({ ...item, ...numbers }));
}

/** The files of these items, by item. */
export async function listFiles(tx: Tx, knowledgeIds: string[]): Promise<Map<string, FileReference[]>> {
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
    .where(inArray(source.knowledgeId, knowledgeIds))
    .orderBy(asc(source.id));
  return Map.groupBy(rows, ({ knowledgeId }) => knowledgeId);
}

export async function insertKnowledge(
  tx: Tx,
  item: Pick<
    typeof knowledge.$inferInsert,
    'organizationId' | 'agentId' | 'type' | 'description' | 'text' | 'links'
  >,
  sources: NewSource[],
): Promise<string> {
  const id = newId('knowledge');
  const { organizationId, agentId } = item;
  await tx.insert(knowledge).values({ id, ...item });
  await tx
    .insert(source)
    .values(
      sources.map((each) => ({ id: newId('source'), organizationId, agentId, knowledgeId: id, ...each })),
    );
  return id;
}

/** Locked until the end of the transaction: two runs of one item's job take turns. Undefined when it was deleted. */
export async function lockKnowledge(
  tx: Tx,
  agentId: string,
  id: string,
): Promise<StoredKnowledge | undefined> {
  const [found] = await tx
    .select()
    .from(knowledge)
    .where(and(eq(knowledge.id, id), eq(knowledge.agentId, agentId)))
    .for('update');
  return found;
}

export async function updateKnowledge(
  tx: Tx,
  id: string,
  changes: { description?: string; state?: KnowledgeState; error?: string | null },
): Promise<void> {
  await tx
    .update(knowledge)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(eq(knowledge.id, id));
}

/** An item of one page that was given no name is called as the page calls itself. */
export async function nameAfterPage(tx: Tx, id: string, title: string): Promise<void> {
  const isUnnamed = and(
    eq(knowledge.id, id),
    eq(knowledge.description, ''),
    sql`jsonb_array_length(${knowledge.links}) = 1`,
  );
  await tx.update(knowledge).set({ description: title }).where(isUnnamed);
}

/** The sources that are neither searchable nor given up, in a lasting order. */
export async function listOpenSources(tx: Tx, knowledgeId: string): Promise<StoredSource[]> {
  return tx
    .select()
    .from(source)
    .where(and(eq(source.knowledgeId, knowledgeId), notInArray(source.state, ['ready', 'failed'])))
    .orderBy(asc(source.id));
}

export async function updateSource(
  tx: Tx,
  id: string,
  changes: Partial<Omit<StoredSource, 'id' | 'knowledgeId' | 'organizationId' | 'agentId'>>,
): Promise<void> {
  await tx
    .update(source)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(eq(source.id, id));
}

export async function updateSources(tx: Tx, ids: string[], state: KnowledgeState): Promise<void> {
  await tx
    .update(source)
    .set({ state, error: null, updatedAt: sql`now()` })
    .where(inArray(source.id, ids));
}

/** The text of a text item's one source. */
export async function updateTextSource(
  tx: Tx,
  knowledgeId: string,
  changes: { title: string; text: string },
): Promise<void> {
  await tx
    .update(source)
    .set({ ...changes, state: 'embedding', error: null, updatedAt: sql`now()` })
    .where(eq(source.knowledgeId, knowledgeId));
}

export async function firstError(tx: Tx, knowledgeId: string): Promise<string | null> {
  const [failed] = await tx
    .select({ error: source.error })
    .from(source)
    .where(and(eq(source.knowledgeId, knowledgeId), eq(source.state, 'failed')))
    .orderBy(asc(source.id))
    .limit(1);
  return failed?.error ?? null;
}

/** Deletes an item with its sources, passages and index; answers the files that only it had. Undefined when there is none. */
export async function deleteKnowledge(
  tx: Tx,
  agentId: string,
  id: string,
): Promise<{ fileIds: string[] } | undefined> {
  const files = await tx.select({ id: source.fileId }).from(source).where(eq(source.knowledgeId, id));
  const gone = await tx
    .delete(knowledge)
    .where(and(eq(knowledge.id, id), eq(knowledge.agentId, agentId)))
    .returning({ id: knowledge.id });
  if (gone.length === 0) return undefined;
  const ids = [...new Set(files.flatMap((row) => row.id ?? []))];
  const stillUsed =
    ids.length === 0
      ? []
      : await tx.select({ id: source.fileId }).from(source).where(inArray(source.fileId, ids));
  return { fileIds: ids.filter((fileId) => !stillUsed.some((row) => row.id === fileId)) };
}
