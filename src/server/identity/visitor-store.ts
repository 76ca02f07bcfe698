import { and, eq, gt, sql } from 'drizzle-orm';
import { VISITOR_RETURN_DAYS } from '../../contract/limits.ts';
import { guest } from '../../contract/guest.ts';
import { user, visitor } from '../db/schema/index.ts';
import type { Tx } from '../db/scope.ts';
import { newId } from '../id.ts';

export type StoredVisitor = typeof visitor.$inferSelect;

/** Where a visitor belongs. */
export interface Place {
  organizationId: string;
  agentId: string;
}

const at = ({ organizationId, agentId }: Place) =>
  and(eq(visitor.organizationId, organizationId), eq(visitor.agentId, agentId));

/**
 * The visitor with this subject at this agent, marked as seen now; created if there is none. A given `name` becomes
 * their name.
 */
export async function ensureNamed(
  tx: Tx,
  place: Place,
  subject: string,
  name?: string,
): Promise<StoredVisitor> {
  const known = await seeAgain(tx, place, subject);
  if (known) {
    if (name !== undefined) await tx.update(user).set({ name }).where(eq(user.id, known.userId));
    return known;
  }
  // Of several first visits at the same moment, one creates the visitor.
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`visitor ${place.agentId} ${subject}`}, 0))`,
  );
  return (await seeAgain(tx, place, subject)) ?? insertVisitor(tx, place, { subject, name });
}

async function seeAgain(tx: Tx, place: Place, subject: string): Promise<StoredVisitor | undefined> {
  const [known] = await tx
    .update(visitor)
    .set({ lastSeenAt: sql`now()` })
    .where(and(at(place), eq(visitor.subject, subject)))
    .returning();
  return known;
}

/** The anonymous visitor who holds this secret, marked as seen now; undefined if it belongs to another agent or has expired. */
export async function findReturning(
  tx: Tx,
  place: Place,
  refreshHash: string,
): Promise<StoredVisitor | undefined> {
  const isInTime = gt(visitor.lastSeenAt, sql`now() - make_interval(days => ${VISITOR_RETURN_DAYS})`);
  const [known] = await tx
    .update(visitor)
    .set({ lastSeenAt: sql`now()` })
    .where(and(at(place), eq(visitor.refreshHash, refreshHash), isInTime))
    .returning();
  return known;
}

export async function insertVisitor(
  tx: Tx,
  place: Place,
  { name = guest.name, ...values }: { subject?: string; refreshHash?: string; name?: string | undefined },
): Promise<StoredVisitor> {
  const userId = newId('user');
  await tx.insert(user).values({ id: userId, name, profilePhoto: guest.profilePhoto, isAnonymous: true });
  const [made] = await tx
    .insert(visitor)
    .values({ id: newId('visitor'), ...place, userId, ...values })
    .returning();
  return made as StoredVisitor;
}
