import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  notInArray,
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import { insertAll } from '../../db/rows.ts';
import { source } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';
import type { ItemKey } from './keys.ts';

/** Every statement on an item's sources. */

export type StoredSource = typeof source.$inferSelect;
export type NewSource = Pick<
  typeof source.$inferInsert,
  | 'kind'
  | 'title'
  | 'url'
  | 'fileId'
  | 'text'
  | 'state'
  | 'error'
  | 'depth'
  | 'contentHash'
  | 'card'
  | 'language'
>;
export type SourceChanges = Partial<
  Omit<StoredSource, 'id' | 'knowledgeId' | 'organizationId' | 'agentId' | 'revision'>
>;

/** The condition for an item's sources. */
export const ofItem = ({ organizationId, agentId, knowledgeId }: ItemKey): SQL | undefined =>
  and(
    eq(source.knowledgeId, knowledgeId),
    eq(source.agentId, agentId),
    eq(source.organizationId, organizationId),
  );

/** An item's current sources: not removed, and not part of a revision still being read. */
const isLive = (revision: number): SQL | undefined =>
  and(isNull(source.retiredIn), lte(source.revision, revision));

/** In the list's order; addresses already in the revision are left out. Returns how many were new. */
export async function insertSources(
  tx: Tx,
  key: ItemKey,
  revision: number,
  sources: NewSource[],
): Promise<number> {
  const { organizationId, agentId, knowledgeId } = key;
  const shared = { organizationId, agentId, knowledgeId, revision, checkedIn: revision };
  const made = await insertAll(sources, (portion) =>
    tx
      .insert(source)
      .values(portion.map((each) => ({ id: newId('source'), ...shared, ...each })))
      .onConflictDoNothing()
      .returning({ id: source.id }),
  );
  return made.length;
}

export async function countOfRevision(tx: Tx, key: ItemKey, revision: number): Promise<number> {
  const seen = or(eq(source.revision, revision), eq(source.checkedIn, revision));
  const [row] = await tx
    .select({ count: count() })
    .from(source)
    .where(and(ofItem(key), seen));
  return row?.count ?? 0;
}

const isUnread = inArray(source.state, ['queued', 'fetching', 'extracting']);

/** Still to be read for a revision: closest to the given addresses first, in a stable order. */
export async function listUnread(
  tx: Tx,
  key: ItemKey,
  { revision, item }: { revision: number; item: { revision: number } },
  most: number,
): Promise<StoredSource[]> {
  // The active revision may contain sources that are to be retried.
  const isOfRevision = revision === item.revision ? isLive(revision) : eq(source.revision, revision);
  return tx
    .select()
    .from(source)
    .where(and(ofItem(key), isOfRevision, isUnread))
    .orderBy(asc(source.depth), asc(source.id))
    .limit(most);
}

export async function listOpen(tx: Tx, key: ItemKey): Promise<{ id: string }[]> {
  return tx
    .select({ id: source.id })
    .from(source)
    .where(and(ofItem(key), isNull(source.retiredIn), notInArray(source.state, ['ready', 'failed'])));
}

/** Without texts: an item can have thousands. */
export async function listLive(tx: Tx, key: ItemKey, revision: number) {
  return tx
    .select({
      id: source.id,
      kind: source.kind,
      title: source.title,
      url: source.url,
      fileId: source.fileId,
      state: source.state,
      revision: source.revision,
      checkedIn: source.checkedIn,
      contentHash: source.contentHash,
      error: source.error,
    })
    .from(source)
    .where(and(ofItem(key), isLive(revision)))
    .orderBy(asc(source.depth), asc(source.id));
}
export type LiveSource = Awaited<ReturnType<typeof listLive>>[number];

/** The source that a revision has, at an address or by its id, including its text; undefined for a new one. */
export async function findLive(
  tx: Tx,
  key: ItemKey,
  revision: number,
  which: { id: string } | { url: string },
): Promise<StoredSource | undefined> {
  const isIt = 'id' in which ? eq(source.id, which.id) : eq(source.url, which.url);
  const [found] = await tx
    .select()
    .from(source)
    .where(and(ofItem(key), isLive(revision), isIt));
  return found;
}

const heldBy = (revision: number): SQL | undefined =>
  and(lte(source.revision, revision), or(isNull(source.retiredIn), gt(source.retiredIn, revision)));

/** An older revision's sources, including texts. */
export async function listOfRevision(tx: Tx, key: ItemKey, revision: number): Promise<StoredSource[]> {
  return tx
    .select()
    .from(source)
    .where(and(ofItem(key), heldBy(revision)))
    .orderBy(asc(source.depth), asc(source.id));
}

/** Sources of an older revision that still exist are kept unchanged in a new one. */
export async function keepFor(tx: Tx, key: ItemKey, older: number, revision: number): Promise<void> {
  await tx
    .update(source)
    .set({ checkedIn: revision })
    .where(and(ofItem(key), isNull(source.retiredIn), lte(source.revision, older)));
}

/** Sources without an address are kept unchanged in a revision that rereads the addresses. */
export async function keepTyped(tx: Tx, key: ItemKey, active: number, revision: number): Promise<void> {
  await tx
    .update(source)
    .set({ checkedIn: revision })
    .where(and(ofItem(key), isLive(active), isNull(source.url)));
}

/** These files are kept unchanged in a revision that exchanges others. */
export async function keepFiles(
  tx: Tx,
  key: ItemKey,
  active: number,
  revision: number,
  fileIds: string[],
): Promise<void> {
  await tx
    .update(source)
    .set({ checkedIn: revision })
    .where(and(ofItem(key), isLive(active), inArray(source.fileId, fileIds)));
}

export async function updateSource(
  tx: Tx,
  key: ItemKey,
  ids: string | string[],
  changes: SourceChanges,
): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(source)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(and(ofItem(key), typeof ids === 'string' ? eq(source.id, ids) : inArray(source.id, ids)));
}

export async function deleteSources(tx: Tx, key: ItemKey, ids: string[]): Promise<void> {
  if (ids.length > 0) await tx.delete(source).where(and(ofItem(key), inArray(source.id, ids)));
}

/** What a rejected revision would have added. */
export async function deleteOfRevision(tx: Tx, key: ItemKey, revision: number): Promise<void> {
  await tx.delete(source).where(and(ofItem(key), eq(source.revision, revision)));
}

/** Sources that no revision from `oldest` on contains. */
export async function deleteRetiredBefore(tx: Tx, key: ItemKey, oldest: number): Promise<void> {
  await tx.delete(source).where(and(ofItem(key), lte(source.retiredIn, oldest)));
}

/** Has failed ones read again: in the revision being read, if there is one. Returns how many there are. */
export async function reopenFailed(tx: Tx, key: ItemKey, revision?: number): Promise<number> {
  const isOfIt = revision === undefined ? undefined : eq(source.revision, revision);
  const reopened = await tx
    .update(source)
    .set({ state: 'queued', error: null, updatedAt: sql`now()` })
    .where(and(ofItem(key), isNull(source.retiredIn), eq(source.state, 'failed'), isOfIt))
    .returning({ id: source.id });
  return reopened.length;
}

/**
 * Of live sources with the same text, the first represents all of them, so that an answer isn't found three times.
 * Returns the sources whose index state needs changing.
 */
export async function settleCopies(
  tx: Tx,
  key: ItemKey,
  revision: number,
): Promise<{ missing: { id: string; characters: number }[]; superfluous: string[] }> {
  const { organizationId, agentId, knowledgeId } = key;
  await tx.execute(sql`
    update source s set same_as = nullif(f.first, s.id)
      from (select id, first_value(id) over (partition by content_hash order by depth, id) as first from source
             where organization_id = ${organizationId} and agent_id = ${agentId} and knowledge_id = ${knowledgeId}
               and retired_in is null and revision <= ${revision} and state in ('embedding', 'ready')
               and content_hash is not null) f
     where s.id = f.id and s.same_as is distinct from nullif(f.first, s.id)`);
  const { rows } = await tx.execute<{ id: string; characters: number; wanted: boolean }>(sql`
    select s.id, s.characters, wanted.is as wanted from source s,
      lateral (select s.retired_in is null and s.revision <= ${revision} and s.same_as is null
                  and s.state in ('embedding', 'ready') and s.text is not null as is) wanted
     where s.organization_id = ${organizationId} and s.agent_id = ${agentId} and s.knowledge_id = ${knowledgeId}
       and wanted.is <> exists (select 1 from chunk c where c.source_id = s.id)
     order by s.id`);
  return {
    missing: rows.filter(({ wanted }) => wanted),
    superfluous: rows.filter(({ wanted }) => !wanted).map(({ id }) => id),
  };
}

/** Sources that were only waiting for the index and are now in it, directly or through their copy. */
export async function markReady(tx: Tx, key: ItemKey, revision: number): Promise<void> {
  const isSearchable = sql`(${source.sameAs} is not null or exists (select 1 from chunk where chunk.source_id = source.id))`;
  await tx
    .update(source)
    .set({ state: 'ready', updatedAt: sql`now()` })
    .where(and(ofItem(key), isLive(revision), eq(source.state, 'embedding'), isSearchable));
}

/** Kept sources are checked again for the next revision, which takes over what was still to be read. */
export async function forgetChecks(tx: Tx, key: ItemKey, revision: number): Promise<void> {
  await tx
    .update(source)
    .set({ state: 'failed', error: 'It was not read before it was to be read again.' })
    .where(and(ofItem(key), isLive(revision), isUnread));
  await tx
    .update(source)
    .set({ checkedIn: revision })
    .where(and(ofItem(key), isLive(revision)));
}

/**
 * The start of the reason on a source that is searched in its old form because rereading failed; other notes are about
 * what was read.
 */
export const NOT_READ_AGAIN = 'It could not be read again.';
/** The same on a file whose newer version could not be read. */
export const NOT_REPLACED = 'Its newer version could not be read.';

export const isOldForm = (error: string | null): boolean =>
  [NOT_READ_AGAIN, NOT_REPLACED].some((start) => error?.startsWith(start));

/** From a source that couldn't be read; if there is none, from a file of which part couldn't. */
export async function firstError(tx: Tx, key: ItemKey, revision: number): Promise<string | null> {
  const isMissed = eq(source.state, 'failed');
  const [found] = await tx
    .select({ error: source.error })
    .from(source)
    .where(
      and(ofItem(key), isLive(revision), isNotNull(source.error), or(isMissed, isNotNull(source.fileId))),
    )
    .orderBy(desc(isMissed), asc(source.depth), asc(source.id))
    .limit(1);
  return found?.error ?? null;
}

/** Those of the addresses that the revision contains, or has already checked. */
export async function knownAddresses(
  tx: Tx,
  key: ItemKey,
  revision: number,
  addresses: string[],
  contentHash?: string,
): Promise<Set<string | null>> {
  if (addresses.length === 0) return new Set();
  const rows = await tx
    .select({ url: source.url })
    .from(source)
    .where(
      and(
        ofItem(key),
        inArray(source.url, addresses),
        contentHash === undefined ? undefined : eq(source.contentHash, contentHash),
        or(eq(source.revision, revision), eq(source.checkedIn, revision)),
      ),
    );
  return new Set(rows.map(({ url }) => url));
}
