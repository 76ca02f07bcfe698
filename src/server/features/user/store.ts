import { eq, sql } from 'drizzle-orm';
import { user } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import type { User } from '../../identity/store.ts';

export async function findUser(tx: Tx, id: string): Promise<User | undefined> {
  const [found] = await tx.select().from(user).where(eq(user.id, id));
  return found;
}

/** Without regard to case. */
export async function findByUsername(tx: Tx, username: string): Promise<User | undefined> {
  const [found] = await tx
    .select()
    .from(user)
    .where(eq(sql`lower(${user.username})`, username.toLowerCase()));
  return found;
}

export interface ProfileChanges {
  name?: string | undefined;
  username?: string | undefined;
  profilePhoto?: string | undefined;
}

export async function updateUser(
  tx: Tx,
  id: string,
  changes: ProfileChanges & { registered?: boolean },
): Promise<User | undefined> {
  const { registered, ...profile } = changes;
  const [changed] = await tx
    .update(user)
    .set({
      ...profile,
      id,
      ...(registered ? { registeredAt: sql`coalesce(${user.registeredAt}, now())` } : {}),
    })
    .where(eq(user.id, id))
    .returning();
  return changed;
}
