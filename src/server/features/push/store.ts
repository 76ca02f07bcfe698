import { and, desc, eq, inArray, notInArray } from 'drizzle-orm';
import { PUSH_BROWSERS_MAX } from '../../../contract/limits.ts';
import { pushSubscription } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { hashSecret } from '../../identity/secrets.ts';
import type { Jobs } from '../../jobs/jobs.ts';

export type Subscription = typeof pushSubscription.$inferSelect;

export async function saveSubscription(
  tx: Tx,
  values: Pick<Subscription, 'userId' | 'endpoint' | 'p256dh' | 'auth'>,
): Promise<void> {
  await tx
    .insert(pushSubscription)
    .values({ id: hashSecret(values.endpoint), ...values })
    .onConflictDoUpdate({ target: pushSubscription.id, set: values });
  const { id, userId, createdAt } = pushSubscription;
  const newest = tx
    .select({ id })
    .from(pushSubscription)
    .where(eq(userId, values.userId))
    .orderBy(desc(createdAt), desc(id))
    .limit(PUSH_BROWSERS_MAX);
  await tx.delete(pushSubscription).where(and(eq(userId, values.userId), notInArray(id, newest)));
}

/** Does nothing if it belongs to somebody else. */
export async function deleteSubscription(tx: Tx, userId: string, endpoint: string): Promise<void> {
  await tx
    .delete(pushSubscription)
    .where(and(eq(pushSubscription.id, hashSecret(endpoint)), eq(pushSubscription.userId, userId)));
}

export async function findSubscription(tx: Tx, id: string): Promise<Subscription | undefined> {
  const [found] = await tx.select().from(pushSubscription).where(eq(pushSubscription.id, id));
  return found;
}

/** The push service has said that this browser no longer exists. */
export async function forgetSubscription(tx: Tx, id: string): Promise<void> {
  await tx.delete(pushSubscription).where(eq(pushSubscription.id, id));
}

/** Notifies every browser of these people about a conversation once the transaction commits. */
export async function enqueuePushes(
  tx: Tx,
  jobs: Jobs,
  userIds: string[],
  conversation: { organizationId: string; id: string },
): Promise<void> {
  if (userIds.length === 0) return;
  const found = await tx
    .select({ id: pushSubscription.id })
    .from(pushSubscription)
    .where(inArray(pushSubscription.userId, userIds));
  const { organizationId, id: conversationId } = conversation;
  for (const { id: subscriptionId } of found)
    await jobs.enqueue(tx, 'push.send', { organizationId, conversationId, subscriptionId });
}
