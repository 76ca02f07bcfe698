import { asOwner } from '../../db/as-owner.ts';
import type { Deps } from '../../deps.ts';
import { eraseConversations, eraseMails, tellingMails } from './erase-store.ts';
import { forgetAsked } from './forget-asked.ts';
import { askedInThem, collectOver } from './retention-store.ts';

/** How often conversations are looked for that are kept no longer. */
export const RETENTION_SWEEP_MS = 600_000;
const AT_ONCE = 200;

/**
 * Deletes the conversations that their agents keep no longer, with all that hangs on them, batch by batch: each is whole or not begun,
 * whatever is killed. Runs as the owner, because it looks at every organization. Returns how many there were.
 */
export async function endRetained({ db }: Pick<Deps, 'db'>): Promise<number> {
  for (let all = 0; ;) {
    const count = await asOwner(db, async (tx) => {
      const found = await collectOver(tx, AT_ONCE);
      if (found === 0) return 0;
      await eraseMails(tx, tellingMails());
      await forgetAsked(tx, askedInThem());
      return eraseConversations(tx);
    });
    all += count;
    if (count < AT_ONCE) return all;
  }
}
