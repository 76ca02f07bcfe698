import { guest } from '../../../contract/guest.ts';
import { and, asc, count, eq, gt, inArray, sql } from 'drizzle-orm';
import { may, type Role } from '../../../contract/access.ts';
import { rowsOf, type Part } from '../../cursor.ts';
import { member, team, teamMember, user } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';
import { revokeKeysOf } from '../api-key/store.ts';
import { stopUnseenAnswers } from '../chat/store.ts';
import { waitForAnother } from '../inbox/store.ts';
import { revokeInvitesOf } from './invite-store.ts';

export interface StoredMember {
  id: string;
  organizationId: string;
  userId: string;
  role: Role;
  createdAt: Date;
  name: string;
  username: string | null;
  email: string | null;
  profilePhoto: string;
  teams: string[];
}

/** Oldest first; with `id` or `userId`, only that member. */
export async function listMembers(
  tx: Tx,
  organizationId: string,
  { id, userId, ...part }: Part & { id?: string; userId?: string } = {},
): Promise<StoredMember[]> {
  const isIt = and(
    id === undefined ? undefined : eq(member.id, id),
    userId === undefined ? undefined : eq(member.userId, userId),
    part.after === undefined ? undefined : gt(member.id, part.after),
  );
  const found = await tx
    .select()
    .from(member)
    .innerJoin(user, eq(user.id, member.userId))
    .where(and(eq(member.organizationId, organizationId), isIt))
    .orderBy(asc(member.id))
    .limit(rowsOf(part));
  const teams = await tx.select().from(teamMember).where(eq(teamMember.organizationId, organizationId));
  const teamsOf = Map.groupBy(teams, ({ userId }) => userId);
  return found.map(({ member, user: { name, username, email, profilePhoto } }) => ({
    ...member,
    name,
    username,
    email,
    profilePhoto,
    teams: (teamsOf.get(member.userId) ?? []).map(({ teamId }) => teamId).toSorted(),
  }));
}

export async function findMember(
  tx: Tx,
  organizationId: string,
  which: { id: string } | { userId: string },
): Promise<StoredMember | undefined> {
  return (await listMembers(tx, organizationId, which))[0];
}

/** False for an existing member: their role stays. */
export async function insertMember(
  tx: Tx,
  values: { organizationId: string; userId: string; role: Role },
): Promise<boolean> {
  const made = await tx
    .insert(member)
    .values({ id: newId('member'), ...values })
    .onConflictDoNothing()
    .returning({ id: member.id });
  return made.length > 0;
}

/** Whether the organization would be left without an owner if this one ceased to be one. Exact only in `inOrganizationAlone`. */
export async function isLastOwner(tx: Tx, { organizationId, role }: StoredMember): Promise<boolean> {
  if (role !== 'owner') return false;
  const [owners] = await tx
    .select({ count: count() })
    .from(member)
    .where(and(eq(member.organizationId, organizationId), eq(member.role, 'owner')));
  return owners?.count === 1;
}

/** Keys and invites that someone issued as an owner or admin end when they are neither any more. `endUnseen` does the rest. */
export async function changeRole(tx: Tx, target: StoredMember, role: Role): Promise<void> {
  await tx.update(member).set({ role }).where(eq(member.id, target.id));
  if (!may(role, 'organization.manage')) await revokeGiven(tx, target);
}

/** Ends a membership and all access that came with it; what the person created stays. */
export async function endMembership(tx: Tx, target: StoredMember): Promise<void> {
  await tx.delete(teamMember).where(isTeamMember(target));
  await tx.delete(member).where(eq(member.id, target.id));
  await revokeGiven(tx, target);
  await endUnseen(tx, target.organizationId);
}

/**
 * Run once after all changes of roles or teams: conversations held by members who may no longer answer wait for
 * another, and answers to people who no longer see the agent are stopped.
 */
export async function endUnseen(tx: Tx, organizationId: string): Promise<void> {
  await waitForAnother(tx, organizationId);
  await stopUnseenAnswers(tx, organizationId);
}

async function revokeGiven(tx: Tx, { organizationId, userId }: StoredMember): Promise<void> {
  await revokeKeysOf(tx, organizationId, userId);
  await revokeInvitesOf(tx, organizationId, userId);
}

/** Exactly these teams. `endUnseen` does the rest. */
export async function setTeamsOf(
  tx: Tx,
  target: Pick<StoredMember, 'organizationId' | 'userId'>,
  teamIds: string[],
): Promise<void> {
  const { organizationId, userId } = target;
  await tx.delete(teamMember).where(isTeamMember(target));
  if (teamIds.length > 0) {
    await tx
      .insert(teamMember)
      .values([...new Set(teamIds)].map((teamId) => ({ organizationId, teamId, userId })));
  }
}

function isTeamMember({ organizationId, userId }: Pick<StoredMember, 'organizationId' | 'userId'>) {
  return and(eq(teamMember.organizationId, organizationId), eq(teamMember.userId, userId));
}

/** Those of the ids that are teams in this organization; none of them can be deleted until the transaction ends. */
export async function findTeamIds(tx: Tx, organizationId: string, ids: string[]): Promise<string[]> {
  const found = await tx
    .select({ id: team.id })
    .from(team)
    .where(and(eq(team.organizationId, organizationId), inArray(team.id, ids)))
    .for('key share');
  return found.map(({ id }) => id);
}

/** Which of these addresses belong to members. */
export async function findMemberEmails(tx: Tx, organizationId: string, emails: string[]): Promise<string[]> {
  const found = await tx
    .select({ email: user.email })
    .from(member)
    .innerJoin(user, eq(user.id, member.userId))
    .where(and(eq(member.organizationId, organizationId), inArray(user.email, emails)));
  return found.flatMap(({ email }) => email ?? []);
}

/** The address a person can be invited by; undefined until they have verified it. */
export async function findVerifiedEmail(tx: Tx, userId: string): Promise<string | undefined> {
  const [found] = await tx
    .select({ email: user.email })
    .from(user)
    .where(and(eq(user.id, userId), eq(user.emailVerified, true)));
  return found?.email ?? undefined;
}

/** Accepting an invite registers the person; a guest's name is derived from their address. */
export async function registerInvited(tx: Tx, userId: string, name: string): Promise<void> {
  await tx
    .update(user)
    .set({
      name: sql`case when ${user.name} = ${guest.name} then ${name} else ${user.name} end`,
      registeredAt: sql`coalesce(${user.registeredAt}, now())`,
    })
    .where(eq(user.id, userId));
}
