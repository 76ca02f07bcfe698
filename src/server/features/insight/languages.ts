import { sql, type SQL } from 'drizzle-orm';
import type { Database, Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { termsOfQuestions } from '../knowledge/search.ts';
import { anyOf, counts, type AgentKey } from './counting.ts';

/** A row becomes visible when its transaction ends but carries the time of its start: reading overlaps by this much. */
export const LANGUAGE_LOOK_BACK_MS = 60_000;
const CONVERSATIONS_A_SLICE = 500;
/** How much of a person's text in a conversation is examined: enough to be certain. */
const SAMPLE_CHARACTERS = 400;

interface Changed extends Record<string, unknown> {
  id: string;
  updatedAt: string;
  text: string;
  language: string | null;
  /** It has changed since reading began. */
  isRecent: boolean;
}

type Place = Pick<Changed, 'id' | 'updatedAt'>;

/**
 * Determines the language of an agent's end users, in all changed conversations, and has those recounted whose language
 * was unknown or different. A turn costs nothing for it. Repeating it, or running it in several processes at once,
 * writes the same; after a kill it continues after the last slice.
 */
export async function readLanguages({ db, pace }: Pick<Deps, 'db' | 'pace'>, key: AgentKey): Promise<void> {
  const { heardUntil, now } = await db.in(key, (tx) => findHeard(tx, key));
  let after: Place | undefined;
  do {
    const from = { since: heardUntil, now, after };
    after = await pace.step(() => readSlice(db, key, from));
  } while (after);
}

/** Returns where to continue; undefined at the end. */
async function readSlice(
  db: Database,
  key: AgentKey,
  from: { since: string; now: string; after: Place | undefined },
): Promise<Place | undefined> {
  const slice = await db.in(key, (tx) => listChanged(tx, key, from));
  // No connection is held during the computation.
  const read =
    slice.length === 0 ? [] : await termsOfQuestions(slice.map(({ text }) => ({ text, before: null })));
  const found = slice.flatMap(({ id, language }, at) => {
    const said = read[at]?.language || null;
    return said === null || said === language ? [] : [{ id, language: said }];
  });
  const last = slice.at(-1);
  const isLast = last === undefined || slice.length < CONVERSATIONS_A_SLICE;
  await db.in(key, (tx) => keepLanguages(tx, key, found, isLast ? from.now : last.updatedAt));
  // A conversation still in progress keeps moving to the end of the order: it is read once.
  return isLast || last.isRecent ? undefined : last;
}

/** A time in the future comes from a clock that has since been set back: nothing would be read until then. */
async function findHeard(tx: Tx, { organizationId, agentId }: AgentKey) {
  const { rows } = await tx.execute<{ heardUntil: string; now: string }>(sql`
    select now()::text as now, coalesce((select case when heard_until > now() then now() else heard_until end from insight_rollup
      where organization_id = ${organizationId} and agent_id = ${agentId}), 'epoch')::text as "heardUntil"`);
  return rows[0] as (typeof rows)[number];
}

/** In order of change, each with the beginning of what was written in it. */
async function listChanged(
  tx: Tx,
  { organizationId, agentId }: AgentKey,
  { since, now, after }: { since: string; now: string; after: Place | undefined },
): Promise<Changed[]> {
  const further: SQL = after
    ? sql`and (c.updated_at, c.id) > (${after.updatedAt}::timestamptz, ${after.id})`
    : sql``;
  const { rows } = await tx.execute<Changed>(sql`
    with changed as materialized (
      select c.id, c.updated_at, c.language from conversation c
       where c.organization_id = ${organizationId} and c.agent_id = ${agentId} and ${counts} ${further}
         and c.updated_at >= ${since}::timestamptz - make_interval(secs => ${LANGUAGE_LOOK_BACK_MS / 1000}::float8)
       order by c.updated_at, c.id limit ${CONVERSATIONS_A_SLICE})
    select changed.id, changed.updated_at::text as "updatedAt", changed.language, coalesce(said.text, '') as text,
           changed.updated_at > ${now}::timestamptz as "isRecent"
      from changed left join lateral (
        select left(string_agg(left(m.text, ${SAMPLE_CHARACTERS}), ' ' order by m.sequence), ${SAMPLE_CHARACTERS}) as text
          from message m where m.organization_id = ${organizationId} and m.conversation_id = changed.id and m.role = 'user') said on true
     order by changed.updated_at, changed.id`);
  return rows;
}

/** An agent that is gone, or has moved to another organization, is skipped. */
async function keepLanguages(
  tx: Tx,
  { organizationId, agentId }: AgentKey,
  found: { id: string; language: string }[],
  until: string,
): Promise<void> {
  if (found.length > 0)
    await tx.execute(sql`
      with said as (select * from jsonb_to_recordset(${JSON.stringify(found)}::jsonb) as s(id text, language text)),
        changed as (
          update conversation c set language = said.language from said
           where c.organization_id = ${organizationId} and c.agent_id = ${agentId} and c.id = said.id
             and c.id = ${anyOf(found.map(({ id }) => id))} and c.language is distinct from said.language returning c.id)
      insert into insight_change (organization_id, agent_id, conversation_id)
      select ${organizationId}, ${agentId}, id from changed`);
  await tx.execute(sql`
    insert into insight_rollup (organization_id, agent_id, heard_until)
    select a.organization_id, a.id, ${until}::timestamptz from agent a where a.id = ${agentId} and a.organization_id = ${organizationId}
    on conflict (agent_id) do update set heard_until = case when insight_rollup.heard_until > now() then excluded.heard_until
      else greatest(insight_rollup.heard_until, excluded.heard_until) end
      where insight_rollup.organization_id = ${organizationId}`);
}
