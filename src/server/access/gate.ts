import { and, eq, isNull, sql } from 'drizzle-orm';
import { may, type Permission, type Role } from '../../contract/access.ts';
import { AppError, notFound } from '../app-error.ts';
import { agent, member } from '../db/schema/index.ts';
import type { Database, Tx } from '../db/scope.ts';
import type { Caller, UserCaller } from '../call.ts';

export type Agent = typeof agent.$inferSelect;

/**
 * The one door to an organization's data: a transaction scoped to it, for a caller whose role there allows `permission`.
 * The role is read in that transaction, so a change of it acts on the next request.
 * Errors: 404 for somebody who is no member, as if the organization did not exist; 403 when the role is too low.
 */
export async function inOrganization<T>(
  db: Database,
  caller: UserCaller,
  organizationId: string,
  permission: Permission,
  work: (tx: Tx, role: Role) => Promise<T>,
): Promise<T> {
  return db.in({ organizationId, userId: caller.userId }, async (tx) => {
    const role = await roleOf(tx, organizationId, caller.userId);
    if (!role) throw notFound();
    if (!may(role, permission)) throw new AppError('auth/forbidden');
    return work(tx, role);
  });
}

/** The same for calls that name an agent: its organization is looked up, and the agent is handed to `work`. */
export async function inAgent<T>(
  db: Database,
  caller: UserCaller,
  agentId: string,
  permission: Permission,
  work: (tx: Tx, agent: Agent, role: Role) => Promise<T>,
): Promise<T> {
  const organizationId = await organizationOf(db, 'agent', agentId);
  return inOrganization(db, caller, organizationId, permission, async (tx, role) => {
    const [found] = await tx
      .select()
      .from(agent)
      .where(and(eq(agent.id, agentId), eq(agent.organizationId, organizationId), isNull(agent.deletedAt)));
    if (!found) throw notFound();
    return work(tx, found, role);
  });
}

/** Everybody may chat with a public agent; with a private one only those who see it in its organization. */
export async function mayChatWith(
  tx: Tx,
  { isPublic, organizationId }: Agent,
  caller: Caller,
): Promise<boolean> {
  if (isPublic) return true;
  if (caller.kind === 'anonymous') return false;
  const role = await roleOf(tx, organizationId, caller.userId);
  return role !== undefined && may(role, 'agent.read');
}

/** Undefined for somebody who is not a member. */
export async function roleOf(tx: Tx, organizationId: string, userId: string): Promise<Role | undefined> {
  const [row] = await tx
    .select({ role: member.role })
    .from(member)
    .where(and(eq(member.organizationId, organizationId), eq(member.userId, userId)));
  return row?.role;
}

const lookups = {
  agent: (id: string) => sql`select organization_of_agent(${id}) as id`,
  handle: (id: string) => sql`select organization_of_handle(${id}) as id`,
  conversation: (id: string) => sql`select organization_of_conversation(${id}) as id`,
};

/** The organization that something belongs to; 404 for what does not exist or is deleted. Says nothing of who may see it. */
export async function organizationOf(db: Database, kind: keyof typeof lookups, id: string): Promise<string> {
  const { rows } = await db.unscoped.execute<{ id: string | null }>(lookups[kind](id));
  const organizationId = rows[0]?.id;
  if (!organizationId) throw notFound();
  return organizationId;
}
