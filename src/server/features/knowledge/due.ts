import type { Deps } from '../../deps.ts';
import { takeDueItems } from './due-store.ts';
import { lockKnowledge } from './store.ts';
import { beginSync } from './sync.ts';

/** How often it is looked for items whose hour to be read again has come. */
export const DUE_SWEEP_MS = 30_000;
const ITEMS_A_SWEEP = 100;

/** Has what is due read again. Several processes may do so at once: each item falls to one of them. */
export async function syncDueItems({ db, jobs }: Pick<Deps, 'db' | 'jobs'>): Promise<void> {
  for (const key of await takeDueItems(db, ITEMS_A_SWEEP)) {
    await db.in({ organizationId: key.organizationId }, async (tx) => {
      const item = await lockKnowledge(tx, key);
      if (item) await beginSync(tx, jobs, key, item, { cause: 'scheduled', createdBy: null });
    });
  }
}
