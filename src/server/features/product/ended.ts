import { inTransaction } from '../../db/as-owner.ts';
import type { Deps } from '../../deps.ts';

/** How often to look for things that are still being paid for, or could be, although nothing is given for them any more. */
export const ENDED_SWEEP_MS = 5000;
const AT_ONCE = 20;

/** What triggers list: a table, its key column, and the other columns to read. */
interface Listed {
  table: 'ended_subscription' | 'ended_checkout';
  key: 'subscription_id' | 'session_id';
  also: string;
}

interface Entry {
  id: string;
  account: string;
}

/**
 * Ends the listed entries at the provider; `end` says whether one is over. An entry is removed after that, so a crash
 * in between only means ending it a second time, with no effect; entries that could not be ended go to the back. Runs
 * as the owner because they no longer belong to anybody.
 */
export async function endListed<Ended extends Entry>(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  { table, key, also }: Listed,
  end: (ended: Ended) => Promise<boolean>,
): Promise<number> {
  return inTransaction(db.owner, async (client) => {
    const { rows } = await client.query<Ended>(
      `select ${key} as id, account_id as account, ${also} from ${table} order by tried_at limit ${AT_ONCE} for update skip locked`,
    );
    for (const ended of rows) {
      const isOver = await end(ended).catch((error: unknown) => {
        log.warn({ err: error, [table]: ended.id }, 'an entry could not be ended at the provider yet');
        return false;
      });
      const done = isOver ? `delete from ${table}` : `update ${table} set tried_at = now()`;
      await client.query(`${done} where ${key} = $1`, [ended.id]);
    }
    return rows.length;
  });
}
