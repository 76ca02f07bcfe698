import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import {
  GOOGLE_SIGN_IN_LIFETIME_MINUTES,
  SIGN_IN_LINK_LIFETIME_MINUTES,
  SIGN_IN_LINK_MAX_ATTEMPTS,
} from '../../../contract/limits.ts';
import { theOne } from '../../db/rows.ts';
import { guest } from '../../../contract/guest.ts';
import { account, oauthState, signInLink, user } from '../../db/schema/index.ts';
import type { Database, Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';
import type { User } from '../../identity/store.ts';

export async function insertGuest(tx: Tx): Promise<User> {
  const [made] = await tx
    .insert(user)
    .values({ id: newId('user'), ...guest, isAnonymous: true })
    .returning();
  return made as User;
}

/** For an address whose sign-in methods are locked: of many concurrent requests, each counts those before it. */
export async function countRecentLinks(tx: Tx, email: string): Promise<number> {
  const rows = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(signInLink)
    .where(
      and(eq(signInLink.email, email), sql`abs(extract(epoch from now() - ${signInLink.createdAt})) < 3600`),
    );
  return rows[0]?.count ?? 0;
}

export async function insertLink(
  tx: Tx,
  link: { email: string; tokenHash: string; browserHash: string; userId: string | null },
): Promise<void> {
  const expiresAt = sql`now() + make_interval(mins => ${SIGN_IN_LINK_LIFETIME_MINUTES})` as never;
  await tx.insert(signInLink).values({ id: newId('signInLink'), ...link, expiresAt });
}

/**
 * Deletes dead links that no longer count for anything, with the addresses they were requested for. Runs as the owner,
 * because they belong to nobody.
 */
export async function forgetLinks({ owner }: Pick<Database, 'owner'>): Promise<void> {
  await owner.query(`delete from sign_in_link where created_at < now() - interval '1 day'`);
}

/** Deletes ended sessions, which are of no more use. Runs as the owner, because it looks at every person. */
export async function forgetSessions({ owner }: Pick<Database, 'owner'>): Promise<void> {
  await owner.query(`delete from session where least(expires_at, revoked_at) < now() - interval '1 day'`);
}

/** Consumes the link, once: of many concurrent callers one gets it. A wrong attempt counts against the link. */
export async function consumeLink(
  tx: Tx,
  link: { email: string; tokenHash: string; browserHash: string },
): Promise<{ userId: string | null } | undefined> {
  const [used] = await tx
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
    .returning({ userId: signInLink.userId });
  if (used) return used;
  await tx
    .update(signInLink)
    .set({ attempts: sql`${signInLink.attempts} + 1` })
    .where(eq(signInLink.tokenHash, link.tokenHash));
  return undefined;
}

type NewState = Omit<typeof oauthState.$inferInsert, 'expiresAt'>;

/** Each new one clears away sign-ins at a provider that nobody came back from. */
export async function insertState(tx: Tx, state: NewState): Promise<void> {
  await tx.delete(oauthState).where(lt(oauthState.expiresAt, sql`now()`));
  const expiresAt = sql`now() + make_interval(mins => ${GOOGLE_SIGN_IN_LIFETIME_MINUTES})` as never;
  await tx.insert(oauthState).values({ ...state, expiresAt });
}

/** Takes the sign-in that this browser started, once: of many concurrent callers one gets it. */
export async function consumeState(
  tx: Tx,
  { stateHash, browserHash }: { stateHash: string; browserHash: string },
): Promise<typeof oauthState.$inferSelect | undefined> {
  const [state] = await tx
    .delete(oauthState)
    .where(
      and(
        eq(oauthState.stateHash, stateHash),
        eq(oauthState.browserHash, browserHash),
        gt(oauthState.expiresAt, sql`now()`),
      ),
    )
    .returning();
  return state;
}

/** Until the transaction ends, nobody else signs in by any of these methods; sorted to prevent deadlocks. */
export async function lockWaysIn(tx: Tx, ways: string[]): Promise<void> {
  for (const way of ways.toSorted()) {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${way}, 0))`);
  }
}

export async function findUser(tx: Tx, id: string): Promise<User | undefined> {
  const [found] = await tx.select().from(user).where(eq(user.id, id)).for('update');
  return found;
}

export async function findByEmail(tx: Tx, email: string): Promise<User | undefined> {
  const [found] = await tx.select().from(user).where(eq(user.email, email));
  return found;
}

export async function findByAccount(tx: Tx, subject: string): Promise<User | undefined> {
  const [found] = await tx
    .select({ user })
    .from(account)
    .innerJoin(user, eq(user.id, account.userId))
    .where(and(eq(account.provider, 'google'), eq(account.subject, subject)));
  return found?.user;
}

export async function insertAccount(tx: Tx, values: typeof account.$inferInsert): Promise<void> {
  await tx.insert(account).values(values);
}

export async function insertPerson(tx: Tx, name: string, email: string): Promise<User> {
  const [made] = await tx
    .insert(user)
    .values({
      id: newId('user'),
      name,
      profilePhoto: guest.profilePhoto,
      email,
      emailVerified: true,
      isAnonymous: false,
    })
    .returning();
  return made as User;
}

/** They are no longer a guest. */
export async function setEmail(tx: Tx, id: string, email: string | null, name?: string): Promise<User> {
  const changed = await tx
    .update(user)
    .set({ email, emailVerified: email !== null, isAnonymous: false, ...(name ? { name } : {}) })
    .where(eq(user.id, id))
    .returning();
  return theOne(changed);
}

export async function deleteAccount(tx: Tx, userId: string): Promise<void> {
  await tx.delete(account).where(and(eq(account.userId, userId), eq(account.provider, 'google')));
}

/** By the rules of docs/decisions/0010; returns the guest's sessions, which have ended. */
export async function mergeGuest(tx: Tx, guestId: string, personId: string): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`select merge_guest(${guestId}, ${personId}) as id`);
  return rows.map(({ id }) => id);
}
