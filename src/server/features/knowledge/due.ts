import { planOf } from '../../access/quota.ts';
import type { Deps } from '../../deps.ts';
import { eachByItself } from '../../sweeps.ts';
import { takeDueItems } from './due-store.ts';
import type { ItemKey } from './keys.ts';
import { slower, type KnownPlan } from './plan-rules.ts';
import { nextSyncOf } from './schedule.ts';
import { lockKnowledge, updateKnowledge, type StoredKnowledge } from './store.ts';
import { beginSync } from './sync.ts';

/** How often to look for items that are due to be reread. */
export const DUE_SWEEP_MS = 30_000;
const ITEMS_A_SWEEP = 100;

/** When to check again an item that the plan rereads less often, or not at all. */
const NEXT_LOOK_MS = 86_400_000;

type Needed = Pick<Deps, 'config' | 'db' | 'jobs'>;

/**
 * Has due items reread, as often as the plan allows. Several processes may do so at once: each item is taken by one of
 * them. A failure to start one doesn't hold up the others, and is retried later.
 */
export async function syncDueItems(deps: Needed): Promise<void> {
  const due = await takeDueItems(deps.db, ITEMS_A_SWEEP);
  await eachByItself(due, (key) => syncDueItem(deps, key), 'Some items could not be read again.');
}

async function syncDueItem({ config, db, jobs }: Needed, key: ItemKey): Promise<void> {
  await db.in({ organizationId: key.organizationId }, async (tx) => {
    const item = await lockKnowledge(tx, key);
    if (!item) return;
    const later = notBefore(item, await planOf(tx, config, key.organizationId));
    if (later) await updateKnowledge(tx, key, { nextSyncAt: later });
    else await beginSync(tx, jobs, key, item, { cause: 'scheduled', createdBy: null });
  });
}

/** Undefined: now. Under a plan with a longer interval an item keeps its schedule, in case the plan is upgraded. */
function notBefore(item: StoredKnowledge, known: KnownPlan | undefined, now = Date.now()): Date | undefined {
  const schedule = known ? slower(item.schedule, known.plan.resyncEvery) : item.schedule;
  if (schedule === item.schedule) return undefined;
  const due = nextSyncOf({ ...item, schedule }, item.syncedAt?.getTime() ?? 0);
  if (due === null) return new Date(now + NEXT_LOOK_MS);
  return due.getTime() > now ? due : undefined;
}
