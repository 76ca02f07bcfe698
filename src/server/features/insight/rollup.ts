import { sql } from 'drizzle-orm';
import { isGivenUp } from '../../db/errors.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { eachByItself } from '../../sweeps.ts';
import { LANGUAGE_LOOK_BACK_MS, readLanguages } from './languages.ts';
import {
  anyOf,
  countConversations,
  countMembers,
  shareHours,
  sumHours,
  sumPeople,
  type AgentKey,
} from './counting.ts';

export const ROLL_UP_SWEEP_MS = 30_000;

/**
 * A row becomes visible when its transaction ends but carries the time of its start: the sweep's reading overlaps by
 * this much.
 */
const LOOK_BACK_MS = 300_000;
/** A request for numbers includes what is new, but doesn't wait for the longest transactions. */
const SHORT_LOOK_BACK_MS = 5000;
/**
 * For a row `r`. No count gets further ahead of the clock than the look-back; one that does comes from a clock that has
 * since been set back, and nothing would be counted until that time.
 */
const COUNTED_UNTIL = `case when r.counted_until > now() + make_interval(secs => ${LOOK_BACK_MS / 1000 + 1})
  then now() else r.counted_until end`;
/** How long to wait for someone else counting the same agent, and for each counting statement. */
const PATIENCE_MS = 2000;
const COUNTING_MS = 5000;
const CONVERSATIONS_AT_ONCE = 2000;
const CONVERSATIONS_WHILE_SOMEBODY_WAITS = 300;

type Counting = Pick<Deps, 'db' | 'pace'>;

interface Step {
  lookBackMs: number;
  atMost: number;
}

interface Changed {
  ids: string[];
  /** Everything changed up to then is included, or already counted. */
  until: string;
  /** There are more than these. */
  isMore: boolean;
}

/**
 * Counts what has changed in an agent's conversations since the last count: their own rows are replaced, and the sums
 * that include them rebuilt from all their rows. One at a time per agent; others wait. All or nothing, so that a
 * process that dies leaves the previous state. Returns whether there is more.
 */
async function rollUp(tx: Tx, key: AgentKey, step: Step): Promise<boolean> {
  const countedUntil = await lock(tx, key);
  if (countedUntil === undefined) return false;
  const queued = await takeQueued(tx, key, step.atMost);
  const changed = await listChanged(tx, key, countedUntil, step);
  const ids = [...new Set([...queued, ...changed.ids])];
  await queueUnsettled(tx, key, ids);
  if (ids.length > 0) await recount(tx, key, ids);
  await tx.execute(sql`update insight_rollup set counted_until = ${changed.until}::timestamptz
    where organization_id = ${key.organizationId} and agent_id = ${key.agentId}`);
  return changed.isMore || queued.length === step.atMost;
}

/** Rebuilds all counts of these conversations, and of everything they are part of. */
export async function recount(tx: Tx, key: AgentKey, ids: readonly string[]): Promise<void> {
  const isMine = sql`organization_id = ${key.organizationId} and agent_id = ${key.agentId}`;
  type Touched = { hour: string; userId: string };
  const before = await tx.execute<Touched>(sql`delete from insight_conversation
    where ${isMine} and conversation_id = ${anyOf(ids)} returning hour::text, user_id as "userId"`);
  await tx.execute(sql`delete from insight_member where ${isMine} and conversation_id = ${anyOf(ids)}`);
  const after = await tx.execute<Touched>(countConversations(key, ids));
  await tx.execute(countMembers(key, ids));
  const touched = [...before.rows, ...after.rows];
  const hours = [...new Set(touched.map(({ hour }) => hour))];
  const people = [...new Set(touched.map(({ userId }) => userId))];
  if (hours.length === 0) return;
  const inHours = sql`hour = any(${sql.param(hours)}::timestamptz[])`;
  await tx.execute(sql`delete from insight_hour where ${isMine} and ${inHours}`);
  await tx.execute(sql`delete from insight_share where ${isMine} and ${inHours}`);
  await tx.execute(sql`delete from insight_person where ${isMine} and user_id = ${anyOf(people)}`);
  await tx.execute(sumHours(key, hours));
  await tx.execute(shareHours(key, hours));
  await tx.execute(sumPeople(key, people));
}

/**
 * Undefined for an agent that no longer exists, or isn't in this organization any more. The agent is locked first, as
 * moving or deleting it does.
 */
async function lock(tx: Tx, { organizationId, agentId }: AgentKey): Promise<string | undefined> {
  const { rows: agents } = await tx.execute(
    sql`select 1 from agent where id = ${agentId} and organization_id = ${organizationId} for key share`,
  );
  if (agents.length === 0) return undefined;
  await tx.execute(sql`insert into insight_rollup (organization_id, agent_id) values (${organizationId}, ${agentId})
    on conflict do nothing`);
  const { rows } = await tx.execute<{ countedUntil: string }>(sql`
    select (${sql.raw(COUNTED_UNTIL)})::text as "countedUntil" from insight_rollup r
     where organization_id = ${organizationId} and agent_id = ${agentId} for update`);
  return rows[0]?.countedUntil;
}

async function takeQueued(tx: Tx, { organizationId, agentId }: AgentKey, atMost: number): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    delete from insight_change where organization_id = ${organizationId} and agent_id = ${agentId} and id in (
      select id from insight_change where organization_id = ${organizationId} and agent_id = ${agentId} order by id limit ${atMost})
    returning conversation_id as id`);
  return rows.map(({ id }) => id);
}

/**
 * Oldest first. Everything changed at the same moment is returned together, so that the next read can start after it.
 * Changes dated in the future, from a clock that has been set back, are left until then.
 */
async function listChanged(
  tx: Tx,
  { organizationId, agentId }: AgentKey,
  countedUntil: string,
  { lookBackMs, atMost }: Step,
): Promise<Changed> {
  const lookBack = sql`make_interval(secs => ${lookBackMs / 1000}::float8)`;
  const { rows } = await tx.execute<{ id: string; next: string; now: string }>(sql`
    select c.id, (c.updated_at + ${lookBack} + interval '1 millisecond')::text as next, now()::text as now from conversation c
     where c.organization_id = ${organizationId} and c.agent_id = ${agentId}
       and c.updated_at >= ${countedUntil}::timestamptz - ${lookBack} and c.updated_at <= now() + interval '1 millisecond'
     order by c.updated_at fetch first ${atMost} rows with ties`);
  const last = rows.at(-1);
  const isMore = rows.length >= atMost;
  return { ids: rows.map(({ id }) => id), until: (isMore ? last?.next : last?.now) ?? countedUntil, isMore };
}

/** Answers in progress are checked again, since their end isn't recorded on the conversation. */
async function queueUnsettled(tx: Tx, { organizationId, agentId }: AgentKey, ids: string[]): Promise<void> {
  await tx.execute(sql`
    insert into insight_change (organization_id, agent_id, conversation_id)
    select c.organization_id, c.agent_id, c.id from conversation c
     where c.organization_id = ${organizationId} and c.agent_id = ${agentId} and c.id = ${anyOf(ids)} and c.answering is not null`);
}

/**
 * Run before these agents' numbers are read: they then include the latest changes, unless that would take too long.
 * Someone else may be counting an agent at length, or the machine may be slow; its numbers are then those of the last
 * count.
 */
export async function catchUp(tx: Tx, organizationId: string, agentIds: readonly string[]): Promise<void> {
  const lookBack = sql`make_interval(secs => ${SHORT_LOOK_BACK_MS / 1000}::float8)`;
  const { rows } = await tx.execute<{ id: string }>(sql`
    select a.id from agent a
      left join insight_rollup r on r.agent_id = a.id and r.organization_id = a.organization_id
     where a.organization_id = ${organizationId} and a.id = ${anyOf(agentIds)} and ${isBehind(lookBack)} order by a.id`);
  for (const { id } of rows) await rollUpUnlessBusy(tx, { organizationId, agentId: id });
}

async function rollUpUnlessBusy(tx: Tx, key: AgentKey): Promise<void> {
  const step = { lookBackMs: SHORT_LOOK_BACK_MS, atMost: CONVERSATIONS_WHILE_SOMEBODY_WAITS };
  const { $client: client } = tx;
  await client.query(
    `savepoint counting; set local lock_timeout = ${PATIENCE_MS}; set local statement_timeout = ${COUNTING_MS}`,
  );
  try {
    await rollUp(tx, key, step);
    await client.query(
      'set local lock_timeout to default; set local statement_timeout to default; release savepoint counting',
    );
  } catch (error) {
    if (!isGivenUp(error)) throw error;
    // This also undoes the timeouts.
    await client.query('rollback to savepoint counting; release savepoint counting');
  }
}

/** Recounts right away where conversations are gone. Covers every organization: the caller is the owner of the tables. */
export async function recountGone(tx: Tx): Promise<void> {
  const { rows } = await tx.execute<{ organizationId: string; agentId: string; ids: string[] }>(sql`
    select q.organization_id as "organizationId", q.agent_id as "agentId", array_agg(distinct q.conversation_id) as ids
      from insight_change q
     where not exists (select from conversation c where c.id = q.conversation_id and c.organization_id = q.organization_id)
     group by 1, 2 order by 1, 2`);
  for (const { ids, ...key } of rows) if ((await lock(tx, key)) !== undefined) await recount(tx, key, ids);
}

/** When a conversation of an agent `a` last changed. Reads the end of an index, where a comparison would read all of it. */
const newest = sql`(select c.updated_at from conversation c
  where c.agent_id = a.id and c.organization_id = a.organization_id order by c.updated_at desc limit 1)`;

/** For an agent `a` with its `insight_rollup` `r`. */
const isBehind = (lookBack: ReturnType<typeof sql>) => sql`(
  exists (select from insight_change q where q.agent_id = a.id and q.organization_id = a.organization_id)
  or ${newest} >= coalesce(${sql.raw(COUNTED_UNTIL)}, 'epoch') - ${lookBack})`;

/** Counts changes everywhere. Each of several processes takes the agents that no other is working on. */
export async function rollUpAll(deps: Counting): Promise<void> {
  const { db } = deps;
  await db.owner.query(
    `delete from insight_change q where not exists (select from agent a where a.id = q.agent_id)`,
  );
  const { rows } = await db.owner.query<AgentKey>(
    `select a.id as "agentId", a.organization_id as "organizationId" from agent a
       left join insight_rollup r on r.agent_id = a.id and r.organization_id = a.organization_id
      where exists (select from insight_change q where q.agent_id = a.id and q.organization_id = a.organization_id)
         or (select c.updated_at from conversation c where c.agent_id = a.id and c.organization_id = a.organization_id
               order by c.updated_at desc limit 1)
            >= least(coalesce(${COUNTED_UNTIL}, 'epoch') - make_interval(secs => $1),
              coalesce(r.heard_until, 'epoch') - make_interval(secs => $2), now() - make_interval(secs => $2))`,
    [LOOK_BACK_MS / 1000, LANGUAGE_LOOK_BACK_MS / 1000],
  );
  const count = (key: AgentKey) => readLanguages(deps, key).finally(() => rollUpAgent(deps, key));
  await eachByItself(rows, count, 'Some agents could not be counted.');
}

export async function rollUpAgent({ db, pace }: Counting, key: AgentKey): Promise<void> {
  const step = { lookBackMs: LOOK_BACK_MS, atMost: CONVERSATIONS_AT_ONCE };
  const one = () => db.in({ organizationId: key.organizationId }, (tx) => rollUp(tx, key, step));
  while (await pace.step(one));
}
