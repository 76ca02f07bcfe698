import { and, asc, eq, gt, ilike, isNull, or, sql } from 'drizzle-orm';
import type { KnowledgeState } from '../../../contract/knowledge.ts';
import { chunk, source } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import type { ItemKey } from './keys.ts';
import { ofItem } from './source-store.ts';

/** The statements for showing an item's sources to people. */

export interface SourceFilter {
  search?: string | undefined;
  state?: KnowledgeState | undefined;
  after?: string | undefined;
  count: number;
}

const listed = {
  id: source.id,
  knowledgeId: source.knowledgeId,
  kind: source.kind,
  title: source.title,
  url: source.url,
  state: source.state,
  error: source.error,
  language: source.language,
  sameAs: source.sameAs,
  card: source.card,
  updatedAt: source.updatedAt,
  characters: sql<number>`${source.characters}`,
  chunks: sql<number>`(select count(*)::int from chunk c where c.source_id = source.id)`,
};

/** The item's current sources, and those of a newer revision being read. */
export async function listSources(tx: Tx, key: ItemKey, filter: SourceFilter) {
  const like = filter.search && `%${filter.search.replace(/[\\%_]/g, '\\$&')}%`;
  return tx
    .select(listed)
    .from(source)
    .where(
      and(
        ofItem(key),
        isNull(source.retiredIn),
        like ? or(ilike(source.title, like), ilike(source.url, like)) : undefined,
        filter.state && eq(source.state, filter.state),
        filter.after === undefined ? undefined : gt(source.id, filter.after),
      ),
    )
    .orderBy(asc(source.id))
    .limit(filter.count);
}
export type ListedSource = Awaited<ReturnType<typeof listSources>>[number];

/** One source with a section of its text. Retired ones are kept for a while: old answers cite them. */
export async function findSource(
  tx: Tx,
  key: ItemKey,
  id: string,
  stretch: { offset: number; length: number },
) {
  const text = sql<string>`coalesce(substring(${source.text} from ${stretch.offset + 1}::int for ${stretch.length}::int), '')`;
  const [found] = await tx
    .select({ ...listed, stretch: text })
    .from(source)
    .where(and(ofItem(key), eq(source.id, id)));
  return found;
}

export async function listChunks(
  tx: Tx,
  { organizationId, agentId }: ItemKey,
  sourceId: string,
  most: number,
  after = -1,
) {
  return tx
    .select({
      id: chunk.id,
      ordinal: chunk.ordinal,
      text: chunk.text,
      headingPath: chunk.headingPath,
      page: chunk.page,
      offset: chunk.offset,
    })
    .from(chunk)
    .where(
      and(
        eq(chunk.sourceId, sourceId),
        eq(chunk.agentId, agentId),
        eq(chunk.organizationId, organizationId),
        gt(chunk.ordinal, after),
      ),
    )
    .orderBy(asc(chunk.ordinal))
    .limit(most);
}
