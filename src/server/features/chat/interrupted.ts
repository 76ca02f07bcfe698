import type pg from 'pg';
import { livingRunners } from '../../db/runner.ts';

/** How often answers of processes that have died are looked for. */
export const INTERRUPTED_SWEEP_MS = 5000;

/**
 * Settles the answers whose process has died: what had come is kept and marked, what was held for them is given back, and
 * their readers can ask again. Runs as the owner, because it looks at every organization. Returns how many there were.
 */
export async function settleInterrupted(owner: pg.Pool): Promise<number> {
  const { rowCount } = await owner.query(`
    with dead as (
      select id, reserved from message where runner is not null and runner not in (${livingRunners}) for update),
    free as (
      update conversation set answering = null from dead where answering = dead.id),
    back as (
      update credit_usage set reserved = credit_usage.reserved - held.reserved
        from (select m.organization_id, to_char(m.created_at at time zone 'UTC', 'YYYY-MM') as month, sum(dead.reserved) as reserved
                from dead join message m on m.id = dead.id where dead.reserved > 0 group by 1, 2) held
       where credit_usage.organization_id = held.organization_id and credit_usage.month = held.month)
    update message
       set state = case when state = 'stopped' then 'stopped' when text = '' then 'failed' else 'incomplete' end,
           error = case when state = 'stopped' then null else 'The server was restarted during the answer.' end,
           has_tool_calls = exists (select from tool_call c where c.message_id = message.id),
           runner = null, reserved = 0, held = 0, updated_at = now()
      from dead where message.id = dead.id`);
  return rowCount ?? 0;
}
