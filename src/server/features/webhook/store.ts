import { and, desc, eq, isNotNull, lt, sql } from 'drizzle-orm';
import { WEBHOOK_DELIVERY_KEPT_DAYS } from '../../../contract/limits.ts';
import type { WebhookEvent } from '../../../contract/plugin-types.ts';
import { insertAll } from '../../db/rows.ts';
import { agent, plugin, webhookDelivery } from '../../db/schema/index.ts';
import type { Database, Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';
import type { Jobs } from '../../jobs/jobs.ts';

export type StoredPlugin = typeof plugin.$inferSelect;
export type StoredDelivery = typeof webhookDelivery.$inferSelect;
export type Key = Pick<StoredDelivery, 'organizationId' | 'id'>;

const isDelivery = ({ organizationId, id }: Key) =>
  and(eq(webhookDelivery.organizationId, organizationId), eq(webhookDelivery.id, id));

/**
 * Every webhook there may be something for: its agent was talked to a moment ago, or it was not checked for a while, or
 * was checked by a clock that has since been set back. Runs as the owner because it covers every organization.
 */
export async function listActive({ owner }: Pick<Database, 'owner'>): Promise<Key[]> {
  const { rows } = await owner.query<Key>(
    `select p.id, p.organization_id as "organizationId" from plugin p join agent a on a.id = p.agent_id
      where p.type = 'webhook' and p.status = 'active' and a.deleted_at is null
        and (abs(extract(epoch from now() - p.seen_until)) > 30
             or exists (select from conversation c
                         where c.agent_id = a.id and c.updated_at > p.seen_until - interval '1 minute'))`,
  );
  return rows;
}

/** Undefined while another process works on it. Nobody else does until the transaction ends. */
export async function lockActive(tx: Tx, { organizationId, id }: Key): Promise<StoredPlugin | undefined> {
  const [found] = await tx
    .select()
    .from(plugin)
    .where(and(eq(plugin.organizationId, organizationId), eq(plugin.id, id), eq(plugin.status, 'active')))
    .for('no key update', { skipLocked: true });
  return found;
}

/** Undefined: until the moment this transaction began. */
export async function setSeen(tx: Tx, { organizationId, id }: Key, until: Date | undefined): Promise<void> {
  await tx
    .update(plugin)
    .set({ seenUntil: until ?? sql`now()` })
    .where(and(eq(plugin.organizationId, organizationId), eq(plugin.id, id)));
}

/** IDs of the new ones; what was reported before is not reported again. */
export async function insertDeliveries(
  tx: Tx,
  { organizationId, id: pluginId }: Key,
  told: { event: WebhookEvent; subject: string; payload: string }[],
): Promise<string[]> {
  const made = await insertAll(told, (portion) =>
    tx
      .insert(webhookDelivery)
      .values(portion.map((each) => ({ id: newId('webhookDelivery'), organizationId, pluginId, ...each })))
      .onConflictDoNothing()
      .returning({ id: webhookDelivery.id }),
  );
  return made.map(({ id }) => id);
}

/** With its webhook; undefined if either is gone. Includes agents in the trash, which may be restored. */
export async function findDelivery(
  tx: Tx,
  key: Key,
): Promise<{ delivery: StoredDelivery; webhook: StoredPlugin; isInTrash: boolean } | undefined> {
  const [found] = await tx
    .select({
      delivery: webhookDelivery,
      webhook: plugin,
      isInTrash: sql<boolean>`${isNotNull(agent.deletedAt)}`,
    })
    .from(webhookDelivery)
    .innerJoin(
      plugin,
      and(eq(plugin.id, webhookDelivery.pluginId), eq(plugin.organizationId, key.organizationId)),
    )
    .innerJoin(agent, and(eq(agent.id, plugin.agentId), eq(agent.organizationId, key.organizationId)))
    .where(isDelivery(key));
  return found;
}

/** Newest first. */
export async function listDeliveries(
  tx: Tx,
  { organizationId, id: pluginId }: Key,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<StoredDelivery[]> {
  return tx
    .select()
    .from(webhookDelivery)
    .where(
      and(
        eq(webhookDelivery.organizationId, organizationId),
        eq(webhookDelivery.pluginId, pluginId),
        before === undefined ? undefined : lt(webhookDelivery.id, before),
      ),
    )
    .orderBy(desc(webhookDelivery.id))
    .limit(limit);
}

/** Undefined if it does not exist or is already pending. */
export async function sendAgain(tx: Tx, key: Key): Promise<StoredDelivery | undefined> {
  const [changed] = await tx
    .update(webhookDelivery)
    .set({ state: 'pending', error: null })
    .where(and(isDelivery(key), sql`${webhookDelivery.state} <> 'pending'`))
    .returning();
  return changed;
}

/** Sends what the agent's webhooks have not been told yet. */
export async function sendPending(
  tx: Tx,
  jobs: Jobs,
  { organizationId, agentId }: Pick<StoredPlugin, 'organizationId' | 'agentId'>,
): Promise<void> {
  const rows = await tx
    .select({ id: webhookDelivery.id })
    .from(webhookDelivery)
    .innerJoin(
      plugin,
      and(eq(plugin.id, webhookDelivery.pluginId), eq(plugin.organizationId, organizationId)),
    )
    .where(
      and(
        eq(webhookDelivery.organizationId, organizationId),
        eq(plugin.agentId, agentId),
        eq(webhookDelivery.state, 'pending'),
      ),
    );
  for (const { id: deliveryId } of rows)
    await jobs.enqueue(tx, 'webhook.deliver', { organizationId, deliveryId });
}

export interface Tried {
  status: number | null;
  error: string | null;
  durationMs: number;
}

/**
 * Records the outcome of an attempt on the delivery and its webhook. A receiver that answers 410 (Gone) gets nothing
 * any more. The webhook is updated first: whoever inserts deliveries locks it, and waits for changes to the existing
 * ones.
 */
export async function noteTry(
  tx: Tx,
  { organizationId, id, pluginId }: StoredDelivery,
  tried: Tried,
): Promise<void> {
  await tx
    .update(plugin)
    .set({
      health: tried.error === null ? 'healthy' : 'failing',
      healthError: tried.error,
      checkedAt: sql`now()`,
      ...(tried.status === 410 ? { status: 'paused' as const } : {}),
    })
    .where(and(eq(plugin.organizationId, organizationId), eq(plugin.id, pluginId)));
  await tx
    .update(webhookDelivery)
    .set({
      ...tried,
      attempts: sql`${webhookDelivery.attempts} + 1`,
      attemptedAt: sql`now()`,
      ...(tried.error === null ? { state: 'delivered' as const } : {}),
    })
    .where(isDelivery({ organizationId, id }));
}

export async function giveUp(tx: Tx, key: Key): Promise<void> {
  await tx
    .update(webhookDelivery)
    .set({ state: 'failed' })
    .where(and(isDelivery(key), eq(webhookDelivery.state, 'pending')));
}

/** Runs as the owner because it covers every organization. */
export async function forgetDeliveries({ owner }: Pick<Database, 'owner'>): Promise<void> {
  await owner.query(
    `delete from webhook_delivery where created_at < now() - make_interval(days => $1) and state <> 'pending'`,
    [WEBHOOK_DELIVERY_KEPT_DAYS],
  );
}
