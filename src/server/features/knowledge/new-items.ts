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
 * it. What the index holds then, also when all of that has just been read: what was looked in before may be older. Undefined when
 * nothing was given. Ends early, without an error, with `signal`.
 */
export async function awaitNewItems(
  { db }: Pick<Deps, 'db'>,
  key: AgentKey,
  signal: AbortSignal,
): Promise<StatisticsRow | undefined> {
  const run: Run = (statement) => db.once({ organizationId: key.organizationId }, statement);
  const until = performance.now() + WAIT_MS;
  for (;;) {
    const state = await stateOfNew(run, key);
    if (state === 'none') return undefined;
    if (state === 'read' || signal.aborted || performance.now() >= until) return readStatisticsRow(run, key);
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function stateOfNew(
  run: Run,
  { organizationId, agentId }: AgentKey,
): Promise<'none' | 'reading' | 'read'> {
  const [row] = await run<{ isReading: boolean | null }>(sql`
    select bool_or(state not in ('ready', 'failed')) as "isReading" from knowledge
     where organization_id = ${organizationId} and agent_id = ${agentId}
       and created_at > now() - make_interval(secs => ${NEW_SECONDS})`);
  if (!row || row.isReading === null) return 'none';
  return row.isReading ? 'reading' : 'read';
}
