import { asc, eq } from 'drizzle-orm';
import { theOne } from '../../db/rows.ts';
import { member, organization } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';

export type Organization = typeof organization.$inferSelect;

/** Oldest first. Reads across organizations, which the person's own memberships permit. */
export async function listOfUser(tx: Tx, userId: string): Promise<Organization[]> {
  const rows = await tx
    .select({ organization })
    .from(member)
    .innerJoin(organization, eq(organization.id, member.organizationId))
    .where(eq(member.userId, userId))
    .orderBy(asc(member.createdAt), asc(member.id));
  return rows.map((row) => row.organization);
}

/** With `lock`, nobody else changes it until this transaction ends. */
export async function findOrganization(tx: Tx, id: string, lock = false): Promise<Organization | undefined> {
  const query = tx.select().from(organization).where(eq(organization.id, id));
  const [found] = await (lock ? query.for('no key update') : query);
  return found;
}

export async function updateOrganization(
  tx: Tx,
  id: string,
  changes: { name?: string | undefined; profilePhoto?: string | undefined },
): Promise<Organization> {
  const changed = await tx
    .update(organization)
    .set({ id, ...changes })
    .where(eq(organization.id, id))
    .returning();
  return theOne(changed);
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

/** With everything it has, down to the last row; the bytes of its files and pictures follow. */
export async function deleteOrganization(tx: Tx, id: string): Promise<void> {
  await tx.delete(organization).where(eq(organization.id, id));
}
