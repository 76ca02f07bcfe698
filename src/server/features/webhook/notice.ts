import { pluginShapes } from '../../../contract/plugin-types.ts';
import type { Deps } from '../../deps.ts';
import { eachByItself } from '../../sweeps.ts';
import { happeningsIn } from './happenings.ts';
import * as store from './store.ts';

/** How often to check what webhooks are to be told. */
export const WEBHOOK_SWEEP_MS = 1000;
/** A row becomes visible when its transaction ends but carries its start time: this is how far back to look again. */
const LOOK_BACK_MS = 60_000;
/** How much of the time a webhook was paused is read at once: weeks of a busy agent don't fit in one process. */
const LOOK_AT_ONCE_MS = 86_400_000;

/**
 * Records what each webhook is to be told, each delivery with its job; existing deliveries are left alone. A failure
 * for one webhook doesn't hold up the others, and is retried the next time.
 */
export async function noticeHappenings(deps: Pick<Deps, 'db' | 'jobs'>): Promise<void> {
  const active = await store.listActive(deps.db);
  await eachByItself(active, (key) => noticeFor(deps, key), 'Some webhooks could not be checked.');
}

async function noticeFor(deps: Pick<Deps, 'db' | 'jobs'>, key: store.Key): Promise<void> {
  while (await noticePart(deps, key));
}

/** Returns whether there is more. */
async function noticePart({ db, jobs }: Pick<Deps, 'db' | 'jobs'>, key: store.Key): Promise<boolean> {
  const { organizationId } = key;
  return db.in({ organizationId }, async (tx) => {
    const webhook = await store.lockActive(tx, key);
    if (!webhook) return false;
    const { agentId, createdAt, seenUntil } = webhook;
    // What predates the webhook isn't reported to it. A time in the future comes from a clock that has since been set
    // back.
    const [made = 0, seen = 0] = [createdAt, seenUntil].map((at) => Math.min(at.getTime(), Date.now()));
    const since = new Date(Math.max(made, seen - LOOK_BACK_MS));
    const end = seenUntil.getTime() + LOOK_AT_ONCE_MS;
    const until = end < Date.now() - LOOK_BACK_MS ? new Date(end) : undefined;
    const { events } = pluginShapes.webhook.settings.parse(webhook.settingsData);
    const found = await happeningsIn(tx, { organizationId, agentId, since, until }, events);
    const told = found.map(({ event, subject, at, data }) => ({
      event,
      subject,
      payload: JSON.stringify({ type: event, timestamp: at.toISOString(), data }),
    }));
    const ids = await store.insertDeliveries(tx, key, told);
    for (const deliveryId of ids) await jobs.enqueue(tx, 'webhook.deliver', { organizationId, deliveryId });
    await store.setSeen(tx, key, until);
    return until !== undefined;
  });
}
