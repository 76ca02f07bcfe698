import { and, desc, eq, lt, sql, type SQL } from 'drizzle-orm';
import type { RevisionChange } from '../../../../contract/revision.ts';
import { knowledgeRevision } from '../../../db/schema/index.ts';
import type { Tx } from '../../../db/scope.ts';
import type { ItemKey } from '../keys.ts';

/** Every statement on an item's revisions. */

export type StoredRevision = typeof knowledgeRevision.$inferSelect;
type RevisionChanges = Partial<
  Pick<StoredRevision, 'state' | 'added' | 'changed' | 'removed' | 'unchanged' | 'reason' | 'approvedBy'>
>;

const ofItem = ({ organizationId, agentId, knowledgeId }: ItemKey): SQL | undefined =>
  and(
    eq(knowledgeRevision.knowledgeId, knowledgeId),
    eq(knowledgeRevision.agentId, agentId),
    eq(knowledgeRevision.organizationId, organizationId),
  );

export async function insertRevision(
  tx: Tx,
  { organizationId, agentId, knowledgeId }: ItemKey,
  cause: StoredRevision['cause'],
  createdBy: string | null,
): Promise<number> {
  const { rows } = await tx.execute<{ number: number }>(sql`
    insert into knowledge_revision (organization_id, agent_id, knowledge_id, number, cause, created_by)
    select ${organizationId}, ${agentId}, ${knowledgeId}, coalesce(max(number), 0) + 1, ${cause}, ${createdBy}
      from knowledge_revision where knowledge_id = ${knowledgeId} and organization_id = ${organizationId}
    returning number`);
  return rows[0]?.number ?? 1;
}

/** The one being read or waiting for a decision: there is at most one. */
export async function findOpenRevision(tx: Tx, key: ItemKey): Promise<StoredRevision | undefined> {
  const [found] = await tx
    .select()
    .from(knowledgeRevision)
    .where(and(ofItem(key), sql`${knowledgeRevision.state} in ('building', 'held')`))
    .orderBy(desc(knowledgeRevision.number))
    .limit(1);
  return found;
}

export async function findRevision(
  tx: Tx,
  key: ItemKey,
  number: number,
): Promise<StoredRevision | undefined> {
  const [found] = await tx
    .select()
    .from(knowledgeRevision)
    .where(and(ofItem(key), eq(knowledgeRevision.number, number)));
  return found;
}

export async function listRevisions(
  tx: Tx,
  key: ItemKey,
  count: number,
  before?: number,
): Promise<StoredRevision[]> {
  return tx
    .select()
    .from(knowledgeRevision)
    .where(and(ofItem(key), before === undefined ? undefined : lt(knowledgeRevision.number, before)))
    .orderBy(desc(knowledgeRevision.number))
    .limit(count);
}

export async function updateRevision(
  tx: Tx,
  key: ItemKey,
  number: number,
  changes: RevisionChanges,
): Promise<void> {
  await tx
    .update(knowledgeRevision)
    .set(changes)
    .where(and(ofItem(key), eq(knowledgeRevision.number, number)));
}

/** A revision without anything new isn't kept. */
export async function deleteRevision(tx: Tx, key: ItemKey, number: number): Promise<void> {
  await tx.delete(knowledgeRevision).where(and(ofItem(key), eq(knowledgeRevision.number, number)));
}

/** Everything older than the currently searched one. */
export async function retireRevisions(tx: Tx, key: ItemKey, active: number): Promise<void> {
  await tx
    .update(knowledgeRevision)
    .set({ state: 'retired' })
    .where(
      and(ofItem(key), eq(knowledgeRevision.state, 'active'), sql`${knowledgeRevision.number} <> ${active}`),
    );
}

/** The revision from which on `kept` revisions have been searched, the current one included. */
export async function oldestKept(tx: Tx, key: ItemKey, kept: number): Promise<number | undefined> {
  const [row] = await tx
    .select({ number: knowledgeRevision.number })
    .from(knowledgeRevision)
    .where(and(ofItem(key), sql`${knowledgeRevision.state} in ('active', 'retired')`))
    .orderBy(desc(knowledgeRevision.number))
    .limit(1)
    .offset(kept - 1);
  return row?.number;
}

/** What a revision added and removed, by source. A replacement is one change, named after the new source. */
export async function listChanges(
  tx: Tx,
  { organizationId, agentId, knowledgeId }: ItemKey,
  number: number,
  count: number,
  after = '',
): Promise<RevisionChange[]> {
  const isHeld = sql`exists (select 1 from knowledge_revision r where r.organization_id = ${organizationId}
    and r.knowledge_id = ${knowledgeId} and r.number = ${number} and r.state = 'held')`;
  // What a held revision would remove still exists: it is what wasn't found again.
  const isNotInIt = sql`retired_in is null and revision < ${number} and checked_in is distinct from ${number}`;
  const { rows } = await tx.execute<RevisionChange & Record<string, unknown>>(sql`
    with touched as (
      select id, title, url, revision = ${number} as is_new, coalesce(url, file_id, kind) as name from source
       where organization_id = ${organizationId} and agent_id = ${agentId} and knowledge_id = ${knowledgeId}
         and (revision = ${number} or retired_in = ${number} or (${isHeld} and ${isNotInIt})))
    select case when not t.is_new then 'removed'
                when exists (select 1 from touched o where not o.is_new and o.name = t.name) then 'changed'
                else 'added' end as change,
           t.id as "sourceId", t.title, t.url
      from touched t
     where (t.is_new or not exists (select 1 from touched n where n.is_new and n.name = t.name)) and t.id > ${after}
     order by t.id limit ${count}`);
  return rows;
}
