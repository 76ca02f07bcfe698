import { and, asc, eq, gt, isNull, lte, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { Agent } from '../../access/gate.ts';
import { chunk, chunkVector, file, indexBlock, knowledge, source } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';

/** Every statement that reads an agent for its file. */

export type Owner = Pick<Agent, 'id' | 'organizationId'>;

/**
 * In the order of their ids, locked until the transaction ends: the index doesn't change meanwhile. Items can be added,
 * though, so everything else is read of these alone.
 */
export async function lockItems(tx: Tx, { organizationId, id }: Owner) {
  return tx
    .select()
    .from(knowledge)
    .where(and(eq(knowledge.organizationId, organizationId), eq(knowledge.agentId, id)))
    .orderBy(asc(knowledge.id))
    .for('share');
}
export type StoredItem = Awaited<ReturnType<typeof lockItems>>[number];

/** One parameter, however many there are. */
const among = (knowledgeId: SQLWrapper, items: string[]): SQL =>
  sql`${knowledgeId} = any(${sql.param(items)})`;

/** The current contents of the agent's items, in the order of their ids. */
export async function listSources(
  tx: Tx,
  { organizationId, id }: Owner,
  items: string[],
  after: string,
  most: number,
) {
  return tx
    .select({ source, fileName: file.name, storageKey: file.storageKey })
    .from(source)
    .innerJoin(knowledge, eq(knowledge.id, source.knowledgeId))
    .leftJoin(file, eq(file.id, source.fileId))
    .where(
      and(
        eq(source.organizationId, organizationId),
        eq(source.agentId, id),
        among(source.knowledgeId, items),
        isNull(source.retiredIn),
        lte(source.revision, knowledge.revision),
        gt(source.id, after),
      ),
    )
    .orderBy(asc(source.id))
    .limit(most);
}
export type StoredSource = Awaited<ReturnType<typeof listSources>>[number];

/** For each source that duplicates another, the other one's position in the list. */
export async function listCopies(
  tx: Tx,
  { organizationId, id }: Owner,
  items: string[],
): Promise<Map<string, number>> {
  const { rows } = await tx.execute<{ id: string; place: number }>(sql`
    with live as (
      select s.id, s.same_as, (row_number() over (order by s.id) - 1)::int as place
        from source s join knowledge k on k.id = s.knowledge_id
       where s.organization_id = ${organizationId} and s.agent_id = ${id}
         and ${among(sql`k.id`, items)} and s.retired_in is null and s.revision <= k.revision)
    select copy.id, original.place from live copy join live original on original.id = copy.same_as`);
  return new Map(rows.map((row) => [row.id, row.place]));
}

/** In indexing order, which ranks passages of equal score. */
export async function listBlocks(tx: Tx, { organizationId, id }: Owner, items: string[]) {
  const first = sql`(select min(c.number) from chunk c where c.block_id = ${indexBlock.id})`;
  return tx
    .select({ id: indexBlock.id, knowledgeId: indexBlock.knowledgeId, languages: indexBlock.languages })
    .from(indexBlock)
    .where(
      and(
        eq(indexBlock.organizationId, organizationId),
        eq(indexBlock.agentId, id),
        among(indexBlock.knowledgeId, items),
      ),
    )
    .orderBy(first);
}

export async function countPassages(tx: Tx, { organizationId, id }: Owner, blockId: number): Promise<number> {
  return tx.$count(
    chunk,
    and(eq(chunk.organizationId, organizationId), eq(chunk.agentId, id), eq(chunk.blockId, blockId)),
  );
}

export async function listPassages(
  tx: Tx,
  { organizationId, id }: Owner,
  blockId: number,
  { after, most }: { after: number; most: number },
) {
  return tx
    .select({ passage: chunk, model: chunkVector.model, vector: chunkVector.vector })
    .from(chunk)
    .leftJoin(chunkVector, eq(chunkVector.chunkId, chunk.id))
    .where(
      and(
        eq(chunk.organizationId, organizationId),
        eq(chunk.agentId, id),
        eq(chunk.blockId, blockId),
        gt(chunk.number, after),
      ),
    )
    .orderBy(asc(chunk.number))
    .limit(most);
}
