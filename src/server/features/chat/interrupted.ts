import type pg from 'pg';
import { livingRunners } from '../../db/runner.ts';

/** How often answers of processes that have died are looked for. */
export const INTERRUPTED_SWEEP_MS = 5000;

/**
 * Settles the answers whose process has died: what had come is kept and marked, and their readers can ask again. Runs as
 * the owner, because it looks at every organization. Returns how many there were.
 */
export async function settleInterrupted(owner: pg.Pool): Promise<number> {
  const { rowCount } = await owner.query(`
    update message
       set state = case when state = 'stopped' then 'stopped' when text = '' then 'failed' else 'incomplete' end,
           error = case when state = 'stopped' then null else 'The server was restarted during the answer.' end,
           runner = null, updated_at = now()
     where runner is not null and runner not in (${livingRunners})`);
  return rowCount ?? 0;
}
