import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Deps } from '../../deps.ts';
import { statisticsSql, type StatisticsRow } from './index-store.ts';
import type { AgentKey } from './keys.ts';

/** What is read for longer, a large website for instance, is not waited for. */
const NEW_SECONDS = 60;
const WAIT_MS = 10_000;
const LOOK_EVERY_MS = 250;

/**
 * Waits while an agent reads what it was given within the last minute, at most ten seconds: who asks right after that is answered by
 * it. What the index holds then; undefined when there was nothing to wait for. Ends early, without an error, with `signal`.
 */
export async function awaitNewItems(
  { db }: Pick<Deps, 'db'>,
  { organizationId, agentId }: AgentKey,
  signal: AbortSignal,
): Promise<StatisticsRow | undefined> {
  const began = performance.now();
  let statistics: StatisticsRow | undefined;
  for (;;) {
    const [now] = await db.once<{ isReading: boolean; statistics: StatisticsRow }>(
      { organizationId },
      sql`select exists (select from knowledge k where k.organization_id = ${organizationId} and k.agent_id = ${agentId}
                 and k.state not in ('ready', 'failed') and k.created_at > now() - make_interval(secs => ${NEW_SECONDS})) as "isReading",
               ${statisticsSql(sql`${organizationId}`, sql`${agentId}`)} as statistics`,
    );
    if (statistics ?? now?.isReading) statistics = now?.statistics;
    if (!now?.isReading || performance.now() - began > WAIT_MS) return statistics;
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return statistics;
  }
}
