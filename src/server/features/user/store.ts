import { and, eq, isNull, sql } from 'drizzle-orm';
import type { onboardingEvents } from '../../../contract/user.ts';
import {
  agent,
  conversation,
  invite,
  knowledge,
  member,
  onboardingEvent,
  user,
} from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import type { User } from '../../identity/store.ts';

export async function findUser(tx: Tx, id: string): Promise<User | undefined> {
  const [found] = await tx.select().from(user).where(eq(user.id, id));
  return found;
}

/** Case-insensitive. */
export async function findByUsername(tx: Tx, username: string): Promise<User | undefined> {
  const [found] = await tx
    .select()
    .from(user)
    .where(eq(sql`lower(${user.username})`, username.toLowerCase()));
  return found;
}

interface ProfileChanges {
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

/** Locked until the transaction ends, so that of two concurrent new photos each knows which one it replaces. */
export async function lockUser(tx: Tx, id: string): Promise<User | undefined> {
  const [found] = await tx.select().from(user).where(eq(user.id, id)).for('update');
  return found;
}

/** Changes the given parts and keeps the others. */
export async function mergeLocation(
  tx: Tx,
  id: string,
  given: { [Part in keyof NonNullable<User['location']>]?: string | undefined },
): Promise<User | undefined> {
  const [changed] = await tx
    .update(user)
    .set({ location: sql`coalesce(${user.location}, '{}'::jsonb) || ${JSON.stringify(given)}::jsonb` })
    .where(eq(user.id, id))
    .returning();
  return changed;
}

type Event = (typeof onboardingEvents)[number];

export async function insertOnboardingEvent(tx: Tx, userId: string, event: Event): Promise<void> {
  await tx.insert(onboardingEvent).values({ userId, event }).onConflictDoNothing();
}

export async function listOnboardingEvents(tx: Tx, userId: string): Promise<Event[]> {
  const rows = await tx.select().from(onboardingEvent).where(eq(onboardingEvent.userId, userId));
  return rows.map(({ event }) => event as Event);
}

export async function hasConversation(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: conversation.id })
    .from(conversation)
    .where(eq(conversation.userId, userId))
    .limit(1);
  return rows.length > 0;
}

/** What an organization has by now; `company` means somebody was invited or has joined. */
export async function findFirstSteps(
  tx: Tx,
  organizationId: string,
): Promise<{ agent: boolean; knowledge: boolean; company: boolean }> {
  const agents = tx
    .select({ one: sql`1` })
    .from(agent)
    .where(and(eq(agent.organizationId, organizationId), isNull(agent.deletedAt)));
  const items = tx
    .select({ one: sql`1` })
    .from(knowledge)
    .where(eq(knowledge.organizationId, organizationId));
  const invites = tx
    .select({ one: sql`1` })
    .from(invite)
    .where(eq(invite.organizationId, organizationId));
  const others = tx
    .select({ one: sql`1` })
    .from(member)
    .where(eq(member.organizationId, organizationId))
    .offset(1);
  const { rows } = await tx.execute<{ agent: boolean; knowledge: boolean; company: boolean }>(
    sql`select exists ${agents} as agent, exists ${items} as knowledge, (exists ${invites} or exists ${others}) as company`,
  );
  return rows[0] ?? { agent: false, knowledge: false, company: false };
}
