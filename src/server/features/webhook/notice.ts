import { pluginShapes } from '../../../contract/plugin-types.ts';
import type { Deps } from '../../deps.ts';
import { happeningsSince } from './happenings.ts';
import * as store from './store.ts';

/** How often webhooks are looked for what they are to be told. */
export const WEBHOOK_SWEEP_MS = 1000;
/** A row is seen when its transaction ends and carries the time of its beginning: so far back it is looked again. */
const LOOK_BACK_MS = 60_000;

/** Writes down what each webhook is to be told, each with its job; what was written down before stays as it is. */
export async function noticeHappenings(deps: Pick<Deps, 'db' | 'jobs'>): Promise<void> {
  for (const key of await store.listActive(deps.db)) await noticeFor(deps, key);
}

async function noticeFor(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  key: { organizationId: string; id: string },
): Promise<void> {
  const { organizationId } = key;
  await db.in({ organizationId }, async (tx) => {
    const webhook = await store.lockActive(tx, key);
    if (!webhook) return;
    const { agentId, createdAt, seenUntil } = webhook;
    // What was before the webhook is not its.
    const since = new Date(Math.max(createdAt.getTime(), seenUntil.getTime() - LOOK_BACK_MS));
    const { events } = pluginShapes.webhook.settings.parse(webhook.settingsData);
    const found = await happeningsSince(tx, { organizationId, agentId, since }, events);
    const told = found.map(({ event, subject, at, data }) => ({
      event,
      subject,
      payload: JSON.stringify({ type: event, timestamp: at.toISOString(), data }),
    }));
    const ids = await store.insertDeliveries(tx, key, told);
    for (const deliveryId of ids) await jobs.enqueue(tx, 'webhook.deliver', { organizationId, deliveryId });
    await store.setSeen(tx, key);
  });
}
