import { and, asc, eq, gt, inArray, isNull, lt, lte, ne, or, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { SESSION_LIFETIME_DAYS } from '../../contract/limits.ts';
import { account, retiredRefresh, session, user } from '../db/schema/index.ts';
import type { Database, Tx } from '../db/scope.ts';
import { newId } from '../id.ts';

export type User = typeof user.$inferSelect;
export type Account = typeof account.$inferSelect;

/** How long a refresh secret still renews after being replaced: two tabs may ask at the same moment. */
const REFRESH_GRACE_SECONDS = 10;

const lifetime = sql`now() + make_interval(days => ${SESSION_LIFETIME_DAYS})`;
const isLive = and(isNull(session.revokedAt), gt(session.expiresAt, sql`now()`));

export async function insertSession(db: Database, userId: string, refreshHash: string): Promise<string> {
  const id = newId('session');
  await db.unscoped.insert(session).values({ id, userId, refreshHash, expiresAt: lifetime as never });
  return id;
}

export async function isSessionLive(db: Database, id: string): Promise<boolean> {
  const rows = await db.unscoped
    .select({ id: session.id })
    .from(session)
    .where(and(eq(session.id, id), isLive));
  return rows.length > 0;
}

interface Renewal {
  sessionId: string;
  user: User;
  /** False if another tab replaced the secret a moment ago: the browser already holds the new one. */
  rotated: boolean;
}

/**
 * Replaces a refresh secret with the next one. The previous one stays valid until its successor is used, because the
 * answer carrying the successor may have been lost. Any older secret, or a successor that was passed over this way, can
 * only be a stolen copy, or the owner's after a theft: the whole session ends.
 */
export async function renewSession(
  db: Database,
  refreshHash: string,
  nextHash: string,
): Promise<Renewal | undefined> {
  return db.in({}, async (tx) => {
    const rotated =
      (await replaceCurrent(tx, refreshHash, nextHash)) ?? (await passOver(tx, refreshHash, nextHash));
    const current = rotated ?? (await findJustReplaced(tx, refreshHash));
    if (!current) {
      await endByRetired(tx, refreshHash);
      return undefined;
    }
    const [owner] = await tx.select().from(user).where(eq(user.id, current.userId));
    return owner && { sessionId: current.id, user: owner, rotated: rotated !== undefined };
  });
}

type Session = typeof session.$inferSelect;

async function replaceCurrent(tx: Tx, refreshHash: string, nextHash: string): Promise<Session | undefined> {
  const [before] = await tx
    .select({ id: session.id, previous: session.previousRefreshHash })
    .from(session)
    .where(and(eq(session.refreshHash, refreshHash), isLive))
    .for('update');
  if (!before) return undefined;
  if (before.previous !== null) await retire(tx, before.id, before.previous);
  return replace(tx, before.id, { previousRefreshHash: refreshHash, refreshHash: nextHash });
}

/** If the current secret has not been used. */
async function passOver(tx: Tx, refreshHash: string, nextHash: string): Promise<Session | undefined> {
  const [before] = await tx
    .select({ id: session.id, current: session.refreshHash })
    .from(session)
    .where(
      and(
        eq(session.previousRefreshHash, refreshHash),
        lte(session.refreshedAt, sql`now() - make_interval(secs => ${REFRESH_GRACE_SECONDS})`),
        isLive,
      ),
    )
    .for('update');
  if (!before) return undefined;
  await retire(tx, before.id, before.current);
  return replace(tx, before.id, { refreshHash: nextHash });
}

async function replace(
  tx: Tx,
  id: string,
  values: { previousRefreshHash?: string; refreshHash: string },
): Promise<Session | undefined> {
  const [replaced] = await tx
    .update(session)
    .set({ ...values, refreshedAt: sql`now()`, expiresAt: lifetime })
    .where(eq(session.id, id))
    .returning();
  return replaced;
}

async function retire(tx: Tx, sessionId: string, refreshHash: string): Promise<void> {
  await tx.insert(retiredRefresh).values({ sessionId, refreshHash }).onConflictDoNothing();
  await tx
    .delete(retiredRefresh)
    .where(
      and(
        eq(retiredRefresh.sessionId, sessionId),
        lt(retiredRefresh.createdAt, sql`now() - make_interval(days => ${SESSION_LIFETIME_DAYS})`),
      ),
    );
}

async function findJustReplaced(tx: Tx, refreshHash: string): Promise<Session | undefined> {
  const [replaced] = await tx
    .select()
    .from(session)
    .where(and(eq(session.previousRefreshHash, refreshHash), isLive));
  return replaced;
}

async function endByRetired(tx: Tx, refreshHash: string): Promise<void> {
  const retired = tx
    .select({ id: retiredRefresh.sessionId })
    .from(retiredRefresh)
    .where(eq(retiredRefresh.refreshHash, refreshHash));
  await tx
    .update(session)
    .set({ revokedAt: sql`now()` })
    .where(and(inArray(session.id, retired), isNull(session.revokedAt)));
}

/** The ID of the session that ended, undefined if there was none. */
export async function revokeSession(
  db: Database,
  by: { refreshHash: string } | { id: string },
): Promise<string | undefined> {
  const isIt =
    'id' in by
      ? eq(session.id, by.id)
      : or(eq(session.refreshHash, by.refreshHash), eq(session.previousRefreshHash, by.refreshHash));
  const rows = await db.unscoped
    .update(session)
    .set({ revokedAt: sql`now()` })
    .where(and(isIt, isNull(session.revokedAt)))
    .returning({ id: session.id });
  return rows[0]?.id;
}

/** The IDs of the sessions that ended. */
export async function revokeSessionsOf(
  db: Database,
  userId: string,
  keepSessionId: string | undefined,
): Promise<string[]> {
  const isOther = keepSessionId === undefined ? undefined : ne(session.id, keepSessionId);
  const rows = await db.unscoped
    .update(session)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(session.userId, userId), isOther, isLive))
    .returning({ id: session.id });
  return rows.map(({ id }) => id);
}

export async function findAccounts(tx: NodePgDatabase, userId: string): Promise<Account[]> {
  return tx.select().from(account).where(eq(account.userId, userId)).orderBy(asc(account.createdAt));
}
