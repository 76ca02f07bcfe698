import { and, desc, eq, isNull, lt, sql, type SQL } from 'drizzle-orm';
import type { VersionSettings } from '../../../contract/version.ts';
import { rowsOf, type Part } from '../../cursor.ts';
import { theOne } from '../../db/rows.ts';
import { agent, agentVersion } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import type { Agent } from '../../access/gate.ts';
import { countAnew } from '../billing/store.ts';
import { asDraft, insertVersion, isOtherDraft } from '../version/store.ts';

export { hasImage } from './image-store.ts';
export { newAgent } from './new-agent.ts';

export type NewAgent = typeof agent.$inferInsert;
type Changeable = Omit<NewAgent, 'id' | 'organizationId' | 'createdAt' | 'version' | keyof VersionSettings>;
/** Fields that take effect at once. */
export type AgentChanges = { [Field in keyof Changeable]?: Changeable[Field] | undefined };

const ofOrganization = (organizationId: string) =>
  and(eq(agent.organizationId, organizationId), isNull(agent.deletedAt));

/** As drafts, newest first, limited to those visible under `seen`. */
export async function listAgents(
  tx: Tx,
  organizationId: string,
  seen: SQL | undefined,
  part: Part = {},
): Promise<Agent[]> {
  const older = part.after === undefined ? undefined : lt(agent.id, part.after);
  const rows = await drafts(tx)
    .where(and(ofOrganization(organizationId), seen, older))
    .orderBy(desc(agent.id))
    .limit(rowsOf(part));
  return rows.map(({ live, draft }) => asDraft(live, draft));
}

/** With its draft's settings, and only if visible under `seen`. */
export async function findDraft(
  tx: Tx,
  organizationId: string,
  id: string,
  seen: SQL | undefined,
): Promise<Agent | undefined> {
  const [found] = await drafts(tx).where(and(eq(agent.id, id), ofOrganization(organizationId), seen));
  return found && asDraft(found.live, found.draft);
}

function drafts(tx: Tx) {
  const draft = { number: agentVersion.number, settings: agentVersion.settings };
  return tx.select({ live: agent, draft }).from(agent).leftJoin(agentVersion, isOtherDraft).$dynamic();
}

/** With `seen`, only if visible under it. */
export async function findAgent(
  tx: Tx,
  organizationId: string,
  id: string,
  seen?: SQL,
): Promise<Agent | undefined> {
  const [found] = await tx
    .select()
    .from(agent)
    .where(and(eq(agent.id, id), ofOrganization(organizationId), seen));
  return found;
}

/** The same for a change: nobody else changes it until this transaction ends. With `deletedToo`, including a deleted one. */
export async function lockAgent(
  tx: Tx,
  organizationId: string,
  id: string,
  seen: SQL | undefined,
  deletedToo = false,
): Promise<Agent | undefined> {
  const isOurs = deletedToo ? eq(agent.organizationId, organizationId) : ofOrganization(organizationId);
  const [found] = await tx
    .select()
    .from(agent)
    .where(and(eq(agent.id, id), isOurs, seen))
    .for('no key update');
  return found;
}

export async function findByHandle(
  tx: Tx,
  organizationId: string,
  handle: string,
): Promise<Agent | undefined> {
  const [found] = await tx
    .select()
    .from(agent)
    .where(and(eq(agent.handle, handle), ofOrganization(organizationId)));
  return found;
}

/** With its first version. */
export async function insertAgent(tx: Tx, values: NewAgent, createdBy: string | null): Promise<Agent> {
  const [made] = await tx.insert(agent).values(values).returning();
  await insertVersion(tx, made as Agent, { createdBy });
  return made as Agent;
}

export async function updateAgent(
  tx: Tx,
  organizationId: string,
  id: string,
  changes: AgentChanges,
): Promise<Agent> {
  const changed = await tx
    .update(agent)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(and(eq(agent.id, id), ofOrganization(organizationId)))
    .returning();
  return theOne(changed);
}

/** With everything that belongs to it; the bytes of its files and pictures follow. Credits held for its answers are released. */
export async function deleteAgent(tx: Tx, organizationId: string, id: string): Promise<void> {
  await tx.delete(agent).where(and(eq(agent.id, id), eq(agent.organizationId, organizationId)));
  await countAnew(tx, organizationId);
}
