import type { Database } from '../db/scope.ts';
import { longestDelays } from './jobs.ts';

export const AHEAD_SWEEP_MS = 60_000;
/** Clock corrections smaller than this don't matter. */
const MARGIN_SECONDS = 60;

/**
 * Brings forward jobs that wait longer than any delay of their kind: a clock that ran ahead and has since been set back
 * gave them their time. Jobs are idempotent and know what is due, so an early one does no harm. Start and heartbeat
 * times that such a clock put in the future count from now, so a process that has died meanwhile is noticed as soon as
 * any other; so does the time of the last search for them, which would delay the next. Returns how many jobs there were.
 */
export async function bringForward(
  { owner }: Pick<Database, 'owner'>,
  afterSecondsMax: number,
): Promise<number> {
  const delays = longestDelays(afterSecondsMax);
  const { rowCount } = await owner.query(
    `update pgboss.job as job set start_after = now()
       from unnest($1::text[], $2::int[]) as longest (name, seconds)
      where job.name = longest.name and job.state in ('created', 'retry')
        and job.start_after > now() + make_interval(secs => longest.seconds)`,
    [delays.map(({ name }) => name), delays.map(({ seconds }) => seconds + MARGIN_SECONDS)],
  );
  const begun = await owner.query(
    `update pgboss.job set started_on = least(started_on, now()), heartbeat_on = least(heartbeat_on, now())
      where state = 'active' and greatest(started_on, heartbeat_on) > now() + make_interval(secs => $1)`,
    [MARGIN_SECONDS],
  );
  await owner.query(
    `update pgboss.queue set monitor_claim_on = least(monitor_claim_on, now()), monitor_on = least(monitor_on, now())
      where greatest(monitor_claim_on, monitor_on) > now() + make_interval(secs => $1)`,
    [MARGIN_SECONDS],
  );
  return (rowCount ?? 0) + (begun.rowCount ?? 0);
}
