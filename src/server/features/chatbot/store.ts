import { and, desc, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { agent } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import type { Agent } from '../../access/gate.ts';

export type NewAgent = typeof agent.$inferInsert;
type Changeable = Omit<NewAgent, 'id' | 'organizationId' | 'createdAt' | 'version'>;
export type AgentChanges = { [Field in keyof Changeable]?: Changeable[Field] | undefined };

const ofOrganization = (organizationId: string) =>
  and(eq(agent.organizationId, organizationId), isNull(agent.deletedAt));

/** Newest first, those that `seen` lets the reader see. */
export async function listAgents(tx: Tx, organizationId: string, seen: SQL | undefined): Promise<Agent[]> {
  return tx
    .select()
    .from(agent)
    .where(and(ofOrganization(organizationId), seen))
    .orderBy(desc(agent.createdAt), desc(agent.id));
}

/** With `seen`, only if that lets the reader see it. */
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

/** The same for a change: nobody else changes it until this transaction ends. With `deletedToo`, also one that is deleted. */
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

export async function insertAgent(tx: Tx, values: NewAgent): Promise<Agent> {
  const [made] = await tx.insert(agent).values(values).returning();
  return made as Agent;
}

/** Undefined when `version` is given and somebody saved in the meantime. */
export async function updateAgent(
  tx: Tx,
  organizationId: string,
  id: string,
  changes: AgentChanges,
  version?: number,
): Promise<Agent | undefined> {
  const sameVersion = version === undefined ? undefined : eq(agent.version, version);
  const [changed] = await tx
    .update(agent)
    .set({ ...changes, version: sql`${agent.version} + 1`, updatedAt: sql`now()` })
    .where(and(eq(agent.id, id), ofOrganization(organizationId), sameVersion))
    .returning();
  return changed;
}

/** With everything that hangs on it; the bytes of its files and pictures follow. */
export async function deleteAgent(tx: Tx, organizationId: string, id: string): Promise<void> {
  await tx.delete(agent).where(and(eq(agent.id, id), eq(agent.organizationId, organizationId)));
}
