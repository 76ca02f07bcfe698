import { asc, eq } from 'drizzle-orm';
import type { Role } from '../../../contract/access.ts';
import { member, organization } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';

export type Organization = typeof organization.$inferSelect;

/** Oldest first. Reads across organizations, which the person's own memberships allow. */
export async function listOfUser(tx: Tx, userId: string): Promise<Organization[]> {
  const rows = await tx
    .select({ organization })
    .from(member)
    .innerJoin(organization, eq(organization.id, member.organizationId))
    .where(eq(member.userId, userId))
    .orderBy(asc(member.createdAt), asc(member.id));
  return rows.map((row) => row.organization);
}

export async function findOrganization(tx: Tx, id: string): Promise<Organization | undefined> {
  const [found] = await tx.select().from(organization).where(eq(organization.id, id));
  return found;
}

export async function insertOrganization(
  tx: Tx,
  values: { id: string; name: string; createdBy: string },
): Promise<Organization> {
  const [made] = await tx
    .insert(organization)
    .values({ ...values, profilePhoto: '/images/organization.svg' })
    .returning();
  return made as Organization;
}

export async function insertMember(
  tx: Tx,
  values: { organizationId: string; userId: string; role: Role },
): Promise<void> {
  await tx.insert(member).values({ id: newId('member'), ...values });
}
