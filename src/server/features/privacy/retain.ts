import { asOwner } from '../../db/as-owner.ts';
import type { Database, Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { eraseConversations, eraseMails, tellingMails } from './erase-store.ts';
import { forgetAsked } from './forget-asked.ts';
import { askedInThem, collectDeleted, collectOver } from './retention-store.ts';

/** How often to look for conversations past their retention. */
export const RETENTION_SWEEP_MS = 600_000;
const AT_ONCE = 200;

/** Deletes the conversations past their agents' retention, with everything that belongs to them. Returns how many. */
export function endRetained({ db }: Pick<Deps, 'db'>): Promise<number> {
  return endAll(db, collectOver);
}

/** The same for conversations whose owners deleted them and did not restore them in time, and for temporary ones. */
export function endDeleted({ db }: Pick<Deps, 'db'>): Promise<number> {
  return endAll(db, collectDeleted);
}

/**
 * Works in batches: each is atomic, whatever gets killed. Names of topics that only these conversations carry go as
 * well. Runs as the owner because it covers every organization.
 */
async function endAll(
  db: Pick<Database, 'owner'>,
  collect: (tx: Tx, atMost: number) => Promise<number>,
): Promise<number> {
  for (let all = 0; ;) {
    const count = await asOwner(db, async (tx) => {
      const found = await collect(tx, AT_ONCE);
      if (found === 0) return 0;
      await eraseMails(tx, tellingMails());
      await forgetAsked(tx, askedInThem());
      return eraseConversations(tx);
    });
    all += count;
    if (count < AT_ONCE) return all;
  }
}
