import { pluginShapes } from '../../../contract/plugin-types.ts';
import type { Deps } from '../../deps.ts';
import { eachByItself } from '../../sweeps.ts';
import { happeningsIn } from './happenings.ts';
import * as store from './store.ts';

/** How often webhooks are looked for what they are to be told. */
export const WEBHOOK_SWEEP_MS = 1000;
/** A row is seen when its transaction ends and carries the time of its beginning: so far back it is looked again. */
const LOOK_BACK_MS = 60_000;
/** So much of a time in which a webhook was paused is read at once: weeks of a busy agent are more than one process holds. */
const LOOK_AT_ONCE_MS = 86_400_000;

/**
 * Writes down what each webhook is to be told, each with its job; what was written down before stays as it is. What cannot be
 * written down for one keeps no other waiting, and is tried again the next time.
 */
export async function noticeHappenings(deps: Pick<Deps, 'db' | 'jobs'>): Promise<void> {
  const active = await store.listActive(deps.db);
  await eachByItself(active, (key) => noticeFor(deps, key), 'Some webhooks could not be checked.');
}

async function noticeFor(deps: Pick<Deps, 'db' | 'jobs'>, key: store.Key): Promise<void> {
  while (await noticePart(deps, key));
}

/** Whether there is more. */
async function noticePart({ db, jobs }: Pick<Deps, 'db' | 'jobs'>, key: store.Key): Promise<boolean> {
  const { organizationId } = key;
  return db.in({ organizationId }, async (tx) => {
    const webhook = await store.lockActive(tx, key);
    if (!webhook) return false;
    const { agentId, createdAt, seenUntil } = webhook;
    // What was before the webhook is not its. A time to come is of a clock that has been put back since.
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
