import { inTransaction } from '../../db/as-owner.ts';
import type { Deps } from '../../deps.ts';

/** How often it is looked for what is still being paid, or can be, and nothing is given for any more. */
export const ENDED_SWEEP_MS = 5000;
const AT_ONCE = 20;

/** What triggers list: a table, the name of its key, and what else is read of an entry. */
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
 * Ends what is listed at the provider; `end` says whether it is over. An entry goes after that, so that a crash in between only means
 * ending nothing once more; what could not be ended waits behind the others. Runs as the owner, because they belong to nobody any more.
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
        log.warn({ err: error, [table]: ended.id }, 'what is gone could not be ended at the provider yet');
        return false;
      });
      const done = isOver ? `delete from ${table}` : `update ${table} set tried_at = now()`;
      await client.query(`${done} where ${key} = $1`, [ended.id]);
    }
    return rows.length;
  });
}
