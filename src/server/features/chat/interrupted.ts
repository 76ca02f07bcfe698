import type pg from 'pg';
import type { Deps } from '../../deps.ts';
import { livingRunners } from '../../db/runner.ts';
import { unansweredAfterMs } from '../../db/timeouts.ts';
import type { Sweep } from '../../sweeps.ts';

/** How often to look for answers that nobody is generating any more. */
export const INTERRUPTED_SWEEP_MS = 5000;

/**
 * Settles the answers whose process has died: partial output is kept and marked, what was held for them is returned,
 * and their readers can ask again. `own` is the process that looks, which counts as alive even while the connection
 * that shows it is lost. Runs as the owner, because it looks at every organization. Returns how many there were.
 */
export async function settleInterrupted(owner: pg.Pool, own?: number): Promise<number> {
  const { rowCount } = await owner.query(
    settling(
      `runner is not null and runner is distinct from $1::bigint and runner not in (${livingRunners})`,
      'The server was restarted during the answer.',
    ),
    [own ?? null],
  );
  return rowCount ?? 0;
}

const NOT_BEGUN = 'The answer could not be started.';
export const NOT_STORED = 'The answer could not be stored.';
type Why = typeof NOT_BEGUN | typeof NOT_STORED;

/**
 * Likewise settles this process's answers that it isn't generating: they were started, but the database's response was
 * lost on the way, so nobody here knows about them, and the conversation would wait forever. Such a response may still
 * arrive for as long as a statement may go unanswered, so an answer counts as lost if it was nobody's for longer than
 * that, or was abandoned.
 */
export function lostAnswers(
  deps: Pick<Deps, 'db' | 'runner' | 'config' | 'log'>,
  isMaking: (conversationId: string, messageId: string) => boolean,
): Sweep {
  let nobodysSince = new Map<string, number>();
  const run = async (): Promise<void> => {
    const givenUp = new Map(givenUpBy(deps.runner));
    const { rows } = await deps.db.owner.query<{ id: string; conversationId: string }>(
      'select id, conversation_id as "conversationId" from message where runner = $1',
      [deps.runner.id],
    );
    const now = performance.now();
    const nobodys = rows.filter(({ id, conversationId }) => !isMaking(conversationId, id));
    nobodysSince = new Map(nobodys.map(({ id }) => [id, nobodysSince.get(id) ?? now]));
    const longestMs = unansweredAfterMs(deps.config.databaseTimeoutSeconds);
    const isLost = ([id, since]: [string, number]) => now - since > longestMs || givenUp.has(id);
    const lost = [...nobodysSince].filter(isLost).map(([id]) => id);
    const byWhy = Map.groupBy(lost, (id) => givenUp.get(id) ?? NOT_BEGUN);
    for (const [why, ids] of byWhy) await settleLost(deps, ids, why);
    for (const id of givenUp.keys()) givenUpBy(deps.runner).delete(id);
  };
  return { name: 'lost answers', everyMs: INTERRUPTED_SWEEP_MS, run };
}

/** Answers that this process has abandoned and that wait to be settled, with the reason shown for each. */
const givenUpOf = new WeakMap<Deps['runner'], Map<string, Why>>();

function givenUpBy(runner: Deps['runner']): Map<string, Why> {
  const known = givenUpOf.get(runner) ?? new Map<string, Why>();
  givenUpOf.set(runner, known);
  return known;
}

/**
 * The same right away for an abandoned answer: its request has just found that the outcome is unknown, or its final
 * state couldn't be stored. If this doesn't reach the database, the next successful sweep does it.
 */
export function settleGivenUp(
  deps: Pick<Deps, 'db' | 'runner' | 'log'>,
  messageId: string,
  why: Why = NOT_BEGUN,
): void {
  settleLost(deps, [messageId], why).catch((error: unknown) => {
    givenUpBy(deps.runner).set(messageId, why);
    deps.log.warn({ err: error, messageId }, 'an abandoned answer could not be ended yet');
  });
}

async function settleLost(
  { db, runner, log }: Pick<Deps, 'db' | 'runner' | 'log'>,
  messageIds: string[],
  why: Why,
): Promise<void> {
  const { rowCount } = await db.owner.query(settling('runner = $1 and id = any($2)', why), [
    runner.id,
    messageIds,
  ]);
  if (rowCount) log.warn({ messageIds }, 'answers were started but never finished');
}

function settling(which: string, error: string): string {
  return `
    with dead as (
      select id, reserved from message where ${which} for no key update),
    free as (
      update conversation set answering = null from dead where answering = dead.id),
    back as (
      update credit_usage set reserved = credit_usage.reserved - held.reserved
        from (select m.organization_id, to_char(m.created_at at time zone 'UTC', 'YYYY-MM') as month, sum(dead.reserved) as reserved
                from dead join message m on m.id = dead.id where dead.reserved > 0 group by 1, 2) held
       where credit_usage.organization_id = held.organization_id and credit_usage.month = held.month)
    update message
       set state = case when state = 'stopped' then 'stopped' when text = '' then 'failed' else 'incomplete' end,
           error = case when state = 'stopped' then null else '${error}' end,
           has_tool_calls = exists (select from tool_call c where c.message_id = message.id),
           runner = null, reserved = 0, held = 0, updated_at = now()
      from dead where message.id = dead.id`;
}
