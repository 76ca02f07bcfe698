import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Run } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { statisticsSql, type StatisticsRow } from './index-store.ts';
import type { AgentKey } from './keys.ts';

/** What is read for longer, a large website for instance, is not waited for. */
const NEW_SECONDS = 60;
const WAIT_MS = 10_000;
const LOOK_EVERY_MS = 250;

/**
 * Waits while an agent reads what it was given within the last minute, at most ten seconds: who asks right after that is answered by
 * it. What the index holds then, when that is another than the one of `version` that was searched; all may have been read since.
 * Undefined when it is the same. Ends early, without an error, with `signal`.
 */
export async function awaitNewItems(
  { db }: Pick<Deps, 'db'>,
  key: AgentKey,
  { version, signal }: { version: string; signal: AbortSignal },
): Promise<StatisticsRow | undefined> {
  const run: Run = (statement) => db.once({ organizationId: key.organizationId }, statement);
  const until = performance.now() + WAIT_MS;
  for (;;) {
    const { isReading, statistics } = await readNow(run, key);
    if (!isReading || signal.aborted || performance.now() >= until)
      return statistics.version === version ? undefined : statistics;
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function readNow(
  run: Run,
  { organizationId, agentId }: AgentKey,
): Promise<{ isReading: boolean; statistics: StatisticsRow }> {
  const [row] = await run<{ isReading: boolean; statistics: StatisticsRow }>(sql`
    select exists (select from knowledge where organization_id = ${organizationId} and agent_id = ${agentId}
                      and state not in ('ready', 'failed')
                      and created_at > now() - make_interval(secs => ${NEW_SECONDS})) as "isReading",
           ${statisticsSql(sql`${organizationId}`, sql`${agentId}`)} as statistics`);
  return row as { isReading: boolean; statistics: StatisticsRow };
}
