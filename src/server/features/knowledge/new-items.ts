import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Run } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { statisticsSql, type StatisticsRow } from './index/index-store.ts';
import type { AgentKey } from './keys.ts';

/** Longer reads, such as a large website, aren't waited for. */
const NEW_SECONDS = 60;
const WAIT_MS = 10_000;
/** For what is read in moments on an idle machine: taking longer is no reason to answer without it. */
const SHORT_WAIT_MS = 30_000;
const SHORT_FILE_MAX_BYTES = 1_000_000;
const LOOK_EVERY_MS = 250;

/**
 * Waits while an agent reads what it was given within the last minute, at most ten seconds, thirty for texts, pairs and
 * small files: a question asked right after that is answered from it. Returns the index state if it differs from the
 * searched one, `version`; everything may have been read since. Undefined if it is the same. Ends early, without an
 * error, on `signal`.
 */
export async function awaitNewItems(
  { db }: Pick<Deps, 'db'>,
  key: AgentKey,
  { version, signal }: { version: string; signal: AbortSignal },
): Promise<StatisticsRow | undefined> {
  const run: Run = (statement) => db.once({ organizationId: key.organizationId }, statement);
  const begun = performance.now();
  for (;;) {
    const { isReading, isShort, statistics } = await readNow(run, key);
    const waited = performance.now() - begun;
    if (!isReading || signal.aborted || waited >= (isShort ? SHORT_WAIT_MS : WAIT_MS))
      return statistics.version === version ? undefined : statistics;
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

interface Now extends Record<string, unknown> {
  isReading: boolean;
  isShort: boolean;
  statistics: StatisticsRow;
}

async function readNow(run: Run, { organizationId, agentId }: AgentKey): Promise<Now> {
  const [row] = await run<Now>(sql`
    with reading as (
      select type in ('text', 'qa') or exists (
               select from source join file on file.id = source.file_id
                where source.organization_id = ${organizationId} and source.knowledge_id = knowledge.id
                  and file.size_bytes <= ${SHORT_FILE_MAX_BYTES}) as short
        from knowledge where organization_id = ${organizationId} and agent_id = ${agentId}
         and state not in ('ready', 'failed') and created_at > now() - make_interval(secs => ${NEW_SECONDS}))
    select exists (select from reading) as "isReading", exists (select from reading where short) as "isShort",
           ${statisticsSql(sql`${organizationId}`, sql`${agentId}`)} as statistics`);
  return row as Now;
}
