import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { SIGN_IN_LINK_LIFETIME_MINUTES, SIGN_IN_LINK_MAX_ATTEMPTS } from '../../../contract/limits.ts';
import { signInLink, user } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';
import type { User } from '../../identity/store.ts';

export async function insertGuest(tx: Tx): Promise<User> {
  const [guest] = await tx
    .insert(user)
    .values({ id: newId('user'), name: 'Guest', profilePhoto: '/images/guest.svg', isAnonymous: true })
    .returning();
  return guest as User;
}

export async function countRecentLinks(tx: Tx, email: string): Promise<number> {
  const rows = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(signInLink)
    .where(and(eq(signInLink.email, email), gt(signInLink.createdAt, sql`now() - interval '1 hour'`)));
  return rows[0]?.count ?? 0;
}

export async function insertLink(
  tx: Tx,
  link: { email: string; tokenHash: string; browserHash: string },
): Promise<void> {
  const expiresAt = sql`now() + make_interval(mins => ${SIGN_IN_LINK_LIFETIME_MINUTES})` as never;
  await tx.insert(signInLink).values({ id: newId('signInLink'), ...link, expiresAt });
}

/** Uses the link up, once: of many at the same moment one gets true. A wrong try counts against the link. */
export async function consumeLink(
  tx: Tx,
  link: { email: string; tokenHash: string; browserHash: string },
): Promise<boolean> {
  const used = await tx
    .update(signInLink)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(signInLink.tokenHash, link.tokenHash),
        eq(signInLink.email, link.email),
        eq(signInLink.browserHash, link.browserHash),
        isNull(signInLink.usedAt),
        gt(signInLink.expiresAt, sql`now()`),
        lt(signInLink.attempts, SIGN_IN_LINK_MAX_ATTEMPTS),
      ),
    )
    .returning({ id: signInLink.id });
  if (used.length > 0) return true;
  await tx
    .update(signInLink)
    .set({ attempts: sql`${signInLink.attempts} + 1` })
    .where(eq(signInLink.tokenHash, link.tokenHash));
  return false;
}

/** The user of this address. Nobody yet: the guest who signs in keeps their id and becomes them, else one is made. */
export async function claimEmail(tx: Tx, email: string, guestId: string | undefined): Promise<User> {
  const [known] = await tx.select().from(user).where(eq(user.email, email));
  if (known) return known;
  const verified = { email, emailVerified: true, isAnonymous: false };
  const [upgraded] = guestId
    ? await tx
        .update(user)
        .set(verified)
        .where(and(eq(user.id, guestId), eq(user.isAnonymous, true)))
        .returning()
    : [];
  if (upgraded) return upgraded;
  const name = email.split('@')[0] ?? email;
  const [made] = await tx
    .insert(user)
    .values({ id: newId('user'), name, profilePhoto: '/images/guest.svg', ...verified })
    .returning();
  return made as User;
}
