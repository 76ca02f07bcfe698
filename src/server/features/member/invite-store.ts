import { and, desc, eq, gt, lt, sql } from 'drizzle-orm';
import { INVITE_LIFETIME_HOURS } from '../../../contract/limits.ts';
import { rowsOf, type Part } from '../../cursor.ts';
import { invite } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';

export type StoredInvite = typeof invite.$inferSelect;

const lifetime = sql`now() + make_interval(hours => ${INVITE_LIFETIME_HOURS})`;

/** Newest first. */
export async function listInvites(tx: Tx, organizationId: string, part: Part): Promise<StoredInvite[]> {
  const older = part.after === undefined ? undefined : lt(invite.id, part.after);
  return tx
    .select()
    .from(invite)
    .where(and(eq(invite.organizationId, organizationId), older))
    .orderBy(desc(invite.id))
    .limit(rowsOf(part));
}

/** With `lock`, others can't answer, revoke or resend it until this transaction ends. */
export async function findInvite(
  tx: Tx,
  organizationId: string,
  which: { id: string } | { tokenHash: string },
  lock = false,
): Promise<StoredInvite | undefined> {
  const isIt = 'id' in which ? eq(invite.id, which.id) : eq(invite.tokenHash, which.tokenHash);
  const query = tx
    .select()
    .from(invite)
    .where(and(eq(invite.organizationId, organizationId), isIt));
  const [found] = await (lock ? query.for('update') : query);
  return found;
}

/** Replaces a pending invite to the same address, whose token stops working. */
export async function insertInvite(
  tx: Tx,
  values: Pick<StoredInvite, 'organizationId' | 'email' | 'role' | 'teams' | 'tokenHash' | 'invitedBy'>,
): Promise<StoredInvite> {
  const { organizationId, email } = values;
  await tx
    .delete(invite)
    .where(
      and(eq(invite.organizationId, organizationId), eq(invite.email, email), eq(invite.status, 'pending')),
    );
  const [made] = await tx
    .insert(invite)
    .values({ id: newId('invite'), ...values, expiresAt: lifetime as never })
    .returning();
  return made as StoredInvite;
}

/** Answers the pending invite with this token, once: of many concurrent callers one gets it. */
export async function answerInvite(
  tx: Tx,
  { id, tokenHash }: Pick<StoredInvite, 'id' | 'tokenHash'>,
  status: 'accepted' | 'declined',
): Promise<boolean> {
  const isOpen = and(eq(invite.status, 'pending'), gt(invite.expiresAt, sql`now()`));
  const answered = await tx
    .update(invite)
    .set({ status })
    .where(and(eq(invite.id, id), eq(invite.tokenHash, tokenHash), isOpen))
    .returning({ id: invite.id });
  return answered.length > 0;
}

/** A new token, valid for the full period again, issued by the current sender. */
export async function renewInvite(
  tx: Tx,
  id: string,
  values: Pick<StoredInvite, 'tokenHash' | 'invitedBy'>,
): Promise<StoredInvite> {
  const [renewed] = await tx
    .update(invite)
    .set({ ...values, expiresAt: lifetime })
    .where(eq(invite.id, id))
    .returning();
  return renewed as StoredInvite;
}

export async function revokeInvite(tx: Tx, id: string): Promise<StoredInvite> {
  const [revoked] = await tx.update(invite).set({ status: 'revoked' }).where(eq(invite.id, id)).returning();
  return revoked as StoredInvite;
}

/** An invite becomes void once its sender may no longer invite. */
export async function revokeInvitesOf(tx: Tx, organizationId: string, userId: string): Promise<void> {
  await tx
    .update(invite)
    .set({ status: 'revoked' })
    .where(
      and(
        eq(invite.organizationId, organizationId),
        eq(invite.invitedBy, userId),
        eq(invite.status, 'pending'),
      ),
    );
}
