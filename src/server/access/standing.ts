import { and, eq, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { may, permissions, type Role } from '../../contract/access.ts';
import type { MemberCaller } from '../call.ts';
import { agent, member, teamAgent, teamMember } from '../db/schema/index.ts';
import type { Tx } from '../db/scope.ts';

/** A caller's standing in an organization. */
export interface Standing {
  role: Role;
  /** A condition on rows of `agent` for the agents they see. Undefined: all. */
  agents: SQL | undefined;
}

/** Undefined if the caller has no standing there. A key is treated as a viewer or editor who sees all agents. */
export async function standingOf(
  tx: Tx,
  organizationId: string,
  caller: MemberCaller,
): Promise<Standing | undefined> {
  if (caller.kind === 'key') {
    if (caller.organizationId !== organizationId) return undefined;
    return { role: caller.scope === 'write' ? 'editor' : 'viewer', agents: undefined };
  }
  const role = await roleOf(tx, organizationId, caller.userId);
  return role && { role, agents: may(role, 'agent.all') ? undefined : isInReachOf(sql`${caller.userId}`) };
}

/** Undefined for a non-member. */
export async function roleOf(tx: Tx, organizationId: string, userId: string): Promise<Role | undefined> {
  const [row] = await tx
    .select({ role: member.role })
    .from(member)
    .where(and(eq(member.organizationId, organizationId), eq(member.userId, userId)));
  return row?.role;
}

/** The one rule of teams: an agent in no team is open to all members, one in teams to the members of those teams. */
function isInReachOf(userId: SQL): SQL {
  return sql`(not exists (select 1 from ${teamAgent} where ${teamAgent.agentId} = ${agent.id})
    or exists (select 1 from ${teamAgent} join ${teamMember} on ${teamMember.teamId} = ${teamAgent.teamId}
      where ${teamAgent.agentId} = ${agent.id} and ${teamMember.userId} = ${userId}))`;
}

// Aliased, because `isSeenBy` queries the members too.
const viewer = alias(member, 'viewer');

/** Everyone who sees an agent as a member of its organization. */
export async function membersWhoSee(tx: Tx, agentId: string): Promise<string[]> {
  const rows = await tx
    .select({ userId: viewer.userId })
    .from(viewer)
    .innerJoin(agent, and(eq(agent.organizationId, viewer.organizationId), eq(agent.id, agentId)))
    .where(isSeenBy(sql`${viewer.userId}`));
  return rows.map(({ userId }) => userId);
}

/** The same for the user that `userId` refers to in a query: they see a row of `agent` as a member of its organization. */
export function isSeenBy(userId: SQL): SQL {
  const roles = sql.join(
    permissions['agent.all'].map((role) => sql`${role}`),
    sql`, `,
  );
  return sql`exists (select 1 from ${member} where ${member.organizationId} = ${agent.organizationId}
    and ${member.userId} = ${userId} and (${member.role} in (${roles}) or ${isInReachOf(userId)}))`;
}
