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

/** A row is seen when its transaction ends and carries the time of its beginning: so far back the sweep looks again. */
const LOOK_BACK_MS = 300_000;
/** Whoever asks for numbers waits for what is new, but not for the longest of transactions. */
const SHORT_LOOK_BACK_MS = 5000;
/**
 * Of a row `r`. No count goes further ahead of the clock than the look back; one that does is of a clock that has been put back
 * since, and nothing would be counted until that moment comes.
 */
const COUNTED_UNTIL = `case when r.counted_until > now() + make_interval(secs => ${LOOK_BACK_MS / 1000 + 1})
  then now() else r.counted_until end`;
/** So long they wait for somebody else who is counting the same agent, and so long for each statement that counts. */
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
  /** What changed until then is among them, or counted already. */
  until: string;
  /** There are more than these. */
  isMore: boolean;
}

/**
 * Counts what has changed in an agent's conversations since it was last counted: their own rows are replaced, and the sums that
 * hold them made anew from all rows that they are sums of. One at a time for an agent; another one waits. All or nothing, so that
 * a process that dies leaves what there was. Returns whether there is more.
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

/** Makes everything that is said of these conversations, and of what they are part of, anew. */
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
 * Undefined for an agent that is not there, or not in this organization, any more. The agent is held first, as who moves or deletes
 * it does.
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
 * Oldest first. All that changed at one moment come together, so that the next look can begin after it. What is of a time to come, by a
 * clock that has been put back, is left for then.
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

/** What is being answered now is looked at again, since its end is not written on the conversation. */
async function queueUnsettled(tx: Tx, { organizationId, agentId }: AgentKey, ids: string[]): Promise<void> {
  await tx.execute(sql`
    insert into insight_change (organization_id, agent_id, conversation_id)
    select c.organization_id, c.agent_id, c.id from conversation c
     where c.organization_id = ${organizationId} and c.agent_id = ${agentId} and c.id = ${anyOf(ids)} and c.answering is not null`);
}

/**
 * Before numbers of these agents are read: what has just happened is in them, but where there is too much to wait for. Who is counting
 * an agent may be at it for long, and a machine be slow; then its numbers are those of its last count.
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
    // The time limits are undone with it.
    await client.query('rollback to savepoint counting; release savepoint counting');
  }
}

/** Counts at once where conversations are gone. In every organization: who calls it is the owner of the tables. */
export async function recountGone(tx: Tx): Promise<void> {
  const { rows } = await tx.execute<{ organizationId: string; agentId: string; ids: string[] }>(sql`
    select q.organization_id as "organizationId", q.agent_id as "agentId", array_agg(distinct q.conversation_id) as ids
      from insight_change q
     where not exists (select from conversation c where c.id = q.conversation_id and c.organization_id = q.organization_id)
     group by 1, 2 order by 1, 2`);
  for (const { ids, ...key } of rows) if ((await lock(tx, key)) !== undefined) await recount(tx, key, ids);
}

/** When a conversation of an agent `a` changed last. The end of an index, where a comparison would read the whole of it. */
const newest = sql`(select c.updated_at from conversation c
  where c.agent_id = a.id and c.organization_id = a.organization_id order by c.updated_at desc limit 1)`;

/** Of an agent `a` with its `insight_rollup` `r`. */
const isBehind = (lookBack: ReturnType<typeof sql>) => sql`(
  exists (select from insight_change q where q.agent_id = a.id and q.organization_id = a.organization_id)
  or ${newest} >= coalesce(${sql.raw(COUNTED_UNTIL)}, 'epoch') - ${lookBack})`;

/** Counts everywhere what has changed. Of several processes each takes the agents that no other is at. */
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
