import { and, asc, eq, inArray, isNotNull, isNull, notInArray, sql, type SQL } from 'drizzle-orm';
import type { Team } from '../../../contract/team.ts';
import { rowsOf, type Part } from '../../cursor.ts';
import { agent, member, team, teamAgent, teamMember } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { naturally } from '../../db/words.ts';
import { newId } from '../../id.ts';

/** By name, with the agents that `agents` lets the reader see; with `id`, only that team. */
export async function listTeams(
  tx: Tx,
  organizationId: string,
  agents: SQL | undefined,
  { id, ...part }: Part<{ name: string; id: string }> & { id?: string } = {},
): Promise<Team[]> {
  const ofTeam = id === undefined ? undefined : eq(team.id, id);
  const { after } = part;
  const later = after && sql`(${naturally(team.name)}, ${team.id}) > (${after.name}, ${after.id})`;
  const teams = await tx
    .select({ id: team.id, organizationId: team.organizationId, name: team.name })
    .from(team)
    .where(and(eq(team.organizationId, organizationId), ofTeam, later))
    .orderBy(naturally(team.name), asc(team.id))
    .limit(rowsOf(part));
  const agentRows = await tx
    .select({ teamId: teamAgent.teamId, id: agent.id })
    .from(teamAgent)
    .innerJoin(agent, eq(agent.id, teamAgent.agentId))
    .where(and(eq(teamAgent.organizationId, organizationId), isNull(agent.deletedAt), agents))
    .orderBy(asc(agent.id));
  const memberRows = await tx
    .select({ teamId: teamMember.teamId, id: teamMember.userId })
    .from(teamMember)
    .where(eq(teamMember.organizationId, organizationId))
    .orderBy(asc(teamMember.userId));
  const agentsOf = Map.groupBy(agentRows, ({ teamId }) => teamId);
  const membersOf = Map.groupBy(memberRows, ({ teamId }) => teamId);
  return teams.map((team) => ({
    ...team,
    agents: (agentsOf.get(team.id) ?? []).map(({ id }) => id),
    members: (membersOf.get(team.id) ?? []).map(({ id }) => id),
  }));
}

export async function insertTeam(tx: Tx, organizationId: string, name: string): Promise<string> {
  const id = newId('team');
  await tx.insert(team).values({ id, organizationId, name });
  return id;
}

export async function renameTeam(tx: Tx, id: string, name: string): Promise<void> {
  await tx.update(team).set({ name }).where(eq(team.id, id));
}

export async function deleteTeam(tx: Tx, id: string): Promise<void> {
  await tx.delete(team).where(eq(team.id, id));
}

/**
 * Exactly these agents, plus the deleted ones: restoring one must not open it to everybody. False if one of them is not
 * in this organization; then the transaction must not be committed.
 */
export async function setAgents(
  tx: Tx,
  { id: teamId, organizationId }: Pick<Team, 'id' | 'organizationId'>,
  agentIds: string[],
): Promise<boolean> {
  const ofOrganization = eq(agent.organizationId, organizationId);
  const deleted = tx
    .select({ id: agent.id })
    .from(agent)
    .where(and(ofOrganization, isNotNull(agent.deletedAt)));
  await tx.delete(teamAgent).where(and(eq(teamAgent.teamId, teamId), notInArray(teamAgent.agentId, deleted)));
  const found = await tx
    .select({ agentId: agent.id })
    .from(agent)
    .where(and(ofOrganization, isNull(agent.deletedAt), inArray(agent.id, agentIds)));
  if (found.length > 0) {
    await tx.insert(teamAgent).values(found.map(({ agentId }) => ({ organizationId, teamId, agentId })));
  }
  return found.length === new Set(agentIds).size;
}

/** A copy joins the teams of its original: in no team it would be open to people the original is closed to. */
export async function joinTeamsOf(
  tx: Tx,
  { organizationId, fromAgentId, agentId }: { organizationId: string; fromAgentId: string; agentId: string },
): Promise<void> {
  const teams = await tx
    .select({ teamId: teamAgent.teamId })
    .from(teamAgent)
    .where(and(eq(teamAgent.organizationId, organizationId), eq(teamAgent.agentId, fromAgentId)));
  if (teams.length > 0)
    await tx.insert(teamAgent).values(teams.map(({ teamId }) => ({ organizationId, teamId, agentId })));
}

/** Exactly these users. False if one of them is not a member; then the transaction must not be committed. */
export async function setMembers(
  tx: Tx,
  { id: teamId, organizationId }: Pick<Team, 'id' | 'organizationId'>,
  userIds: string[],
): Promise<boolean> {
  await tx.delete(teamMember).where(eq(teamMember.teamId, teamId));
  const found = await tx
    .select({ userId: member.userId })
    .from(member)
    .where(and(eq(member.organizationId, organizationId), inArray(member.userId, userIds)));
  if (found.length > 0) {
    await tx.insert(teamMember).values(found.map(({ userId }) => ({ organizationId, teamId, userId })));
  }
  return found.length === new Set(userIds).size;
}
