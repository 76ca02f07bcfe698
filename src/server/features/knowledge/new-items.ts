import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Run } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { readStatisticsRow, type StatisticsRow } from './index-store.ts';
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
  key: AgentKey,
  signal: AbortSignal,
): Promise<StatisticsRow | undefined> {
  const run: Run = (statement) => db.once({ organizationId: key.organizationId }, statement);
  const until = performance.now() + WAIT_MS;
  if (!(await isReadingNew(run, key))) return undefined;
  do await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  while (!signal.aborted && performance.now() < until && (await isReadingNew(run, key)));
  return readStatisticsRow(run, key);
}

async function isReadingNew(run: Run, { organizationId, agentId }: AgentKey): Promise<boolean> {
  const rows = await run(sql`
    select from knowledge where organization_id = ${organizationId} and agent_id = ${agentId}
       and state not in ('ready', 'failed') and created_at > now() - make_interval(secs => ${NEW_SECONDS}) limit 1`);
  return rows.length > 0;
}
