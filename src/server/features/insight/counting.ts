import { sql, type SQL } from 'drizzle-orm';
import { LATENCY_BUCKET_BOUNDS_MS } from './latency.ts';

/**
 * What is counted, as one SQL statement per table: used both for keeping the sums up to date and for building them from
 * scratch.
 */

export interface AgentKey {
  organizationId: string;
  agentId: string;
}

/** The sum columns, common to all tables of sums. */
export const counters = [
  'conversations',
  'messages',
  'answered',
  'unanswered',
  'failed',
  'rated_up',
  'rated_down',
  'handovers',
  'input_tokens',
  'output_tokens',
  'credits',
  'cost',
  'priced',
  'unpriced',
] as const;

const list = sql.raw(counters.join(', '));
const sums = sql.raw(counters.map((name) => `sum(${name})`).join(', '));
const hourOf = (moment: string) => sql.raw(`date_trunc('hour', ${moment}, 'UTC')`);

/** A text array is passed as a single value. */
export const anyOf = (ids: readonly string[]): SQL => sql`any(${sql.param(ids)}::text[])`;

/** For conversations `c`: those in which end users talk with the live version. */
export const counts = sql`not c.temporary and c.agent_version is null and c.deleted_at is null`;

/** The conversations and their messages, by hour. */
const chosenSql = ({ organizationId, agentId }: AgentKey, ids: readonly string[]): SQL => sql`
    chosen as (
      select c.id, c.user_id, c.country, c.language,
          coalesce(c.channel, case when c.page is null then 'page' else 'site' end) as channel from conversation c
       where c.organization_id = ${organizationId} and c.agent_id = ${agentId} and c.id = ${anyOf(ids)} and ${counts}),
    said as materialized (
      select m.id, m.conversation_id, ${hourOf('m.created_at')} as hour, m.created_at, m.role, m.receipt, m.citations,
          m.role = 'assistant' and (m.state = 'complete' and m.receipt is not null or m.receipt ->> 'cut' is not null) as is_answer,
          m.role = 'assistant' and m.state in ('failed', 'incomplete') and m.receipt ->> 'cut' is null as is_failed,
          coalesce((m.receipt ->> 'refused')::boolean, false) as refused,
          min(m.created_at) filter (where m.role = 'user') over (partition by m.conversation_id) as begun_at
        from chosen join message m on m.conversation_id = chosen.id and m.organization_id = ${organizationId})`;

/**
 * Writes what these conversations contribute to each hour. Those that don't count (temporary ones, members' trials,
 * deleted ones and those in which nobody wrote anything) contribute nothing. Whatever is joined in full is computed
 * once: for tables that have just grown, PostgreSQL estimates a single row, and one statement took 15 s for 1,500
 * conversations.
 */
export function countConversations({ organizationId, agentId }: AgentKey, ids: readonly string[]): SQL {
  return sql`
    with ${chosenSql({ organizationId, agentId }, ids)},
    words as (
      select conversation_id, hour, bool_or(hour = ${hourOf('begun_at')})::int as conversations,
          count(*) filter (where role = 'user') as messages,
          count(*) filter (where is_answer and not refused) as answered, count(*) filter (where is_answer and refused) as unanswered,
          count(*) filter (where is_failed) as failed,
          sum((receipt ->> 'inputTokens')::bigint) as input_tokens, sum((receipt ->> 'outputTokens')::bigint) as output_tokens,
          sum((receipt ->> 'credits')::int) as credits, sum((receipt ->> 'costNanoUsd')::bigint) as cost,
          count(*) filter (where receipt ->> 'costNanoUsd' is not null) as priced,
          count(*) filter (where receipt is not null and receipt ->> 'costNanoUsd' is null) as unpriced,
          min(created_at) filter (where role = 'user') as first_at, max(created_at) filter (where role = 'user') as last_at,
          array_agg((receipt ->> 'firstTokenMs')::numeric::int) filter (where is_answer and receipt ->> 'firstTokenMs' is not null)
            as first_token_ms,
          array_agg((receipt ->> 'totalMs')::numeric::int) filter (where is_answer and receipt ->> 'totalMs' is not null) as total_ms
        from said where begun_at is not null group by conversation_id, hour),
    ratings as (
      select said.conversation_id, said.hour, count(*) filter (where f.rating = 'up') as up, count(*) filter (where f.rating = 'down') as down
        from said join message_feedback f on f.message_id = said.id and f.organization_id = ${organizationId}
       where said.begun_at is not null group by 1, 2),
    cited as (
      select conversation_id, hour, jsonb_object_agg(knowledge_id, answers) as sources from (
        select said.conversation_id, said.hour, c ->> 'knowledgeId' as knowledge_id, count(distinct said.id) as answers
          from said cross join jsonb_array_elements(said.citations) c where said.is_answer and said.begun_at is not null
         group by 1, 2, 3) each group by 1, 2),
    asked as (
      select h.conversation_id, ${hourOf('h.asked_at')} as hour, count(*) as handovers,
          array_agg(extract(epoch from h.taken_at - h.asked_at)::int) filter (where h.taken_at is not null) as wait_seconds
        from chosen join handover h on h.conversation_id = chosen.id and h.organization_id = ${organizationId}
       where h.by <> 'member' and exists (select from words where words.conversation_id = h.conversation_id) group by 1, 2),
    hours as materialized (
      select * from words full join asked using (conversation_id, hour) full join ratings using (conversation_id, hour)
        full join cited using (conversation_id, hour))
    insert into insight_conversation (organization_id, agent_id, conversation_id, hour, user_id, channel, country, language, ${list},
        first_at, last_at, first_token_ms, total_ms, wait_seconds, sources)
    select ${organizationId}, ${agentId}, chosen.id, hours.hour, chosen.user_id, chosen.channel, coalesce(chosen.country, ''),
        coalesce(chosen.language, ''),
        coalesce(hours.conversations, 0), coalesce(messages, 0), coalesce(answered, 0), coalesce(unanswered, 0), coalesce(failed, 0),
        coalesce(up, 0), coalesce(down, 0), coalesce(handovers, 0), coalesce(input_tokens, 0), coalesce(output_tokens, 0),
        coalesce(credits, 0), coalesce(cost, 0), coalesce(priced, 0), coalesce(unpriced, 0), first_at, last_at, coalesce(first_token_ms, '{}'), coalesce(total_ms, '{}'),
        coalesce(wait_seconds, '{}'), coalesce(sources, '{}')
      from hours join chosen on chosen.id = hours.conversation_id
    returning hour::text, user_id as "userId"`;
}

/** Writes what members did in them. */
export function countMembers({ organizationId, agentId }: AgentKey, ids: readonly string[]): SQL {
  return sql`
    with work as (
      select m.conversation_id, ${hourOf('m.created_at')} as hour, m.author_id as user_id, 1 as answers, 0 as takeovers, null::int as wait
        from message m where m.organization_id = ${organizationId} and m.conversation_id = ${anyOf(ids)}
         and m.role = 'operator' and m.author_id is not null
      union all
      select h.conversation_id, ${hourOf('h.taken_at')}, h.taken_by, 0, 1,
          case when h.by <> 'member' then extract(epoch from h.taken_at - h.asked_at)::int end
        from handover h where h.organization_id = ${organizationId} and h.conversation_id = ${anyOf(ids)} and h.taken_by is not null)
    insert into insight_member (organization_id, agent_id, conversation_id, hour, user_id, answers, takeovers, wait_seconds)
    select ${organizationId}, ${agentId}, work.conversation_id, work.hour, work.user_id, sum(answers), sum(takeovers),
        coalesce(array_agg(wait order by wait) filter (where wait is not null), '{}')
      from work join conversation c on c.id = work.conversation_id and c.organization_id = ${organizationId}
        and c.agent_id = ${agentId} and ${counts}
     group by 3, 4, 5`;
}

const ofAgent = ({ organizationId, agentId }: AgentKey, table: string): SQL =>
  sql`${sql.raw(table)}.organization_id = ${organizationId} and ${sql.raw(table)}.agent_id = ${agentId}`;

/** Writes these hours' sums. */
export function sumHours(key: AgentKey, hours: readonly string[]): SQL {
  return sql`
    with mine as (select * from insight_conversation f where ${ofAgent(key, 'f')} and f.hour = any(${sql.param(hours)}::timestamptz[])),
      waits as (select hour, array_agg(seconds order by seconds) as wait_seconds from mine, unnest(wait_seconds) seconds group by hour)
    insert into insight_hour (organization_id, agent_id, hour, ${list}, wait_seconds)
    select ${key.organizationId}, ${key.agentId}, s.hour, ${sql.raw(counters.map((name) => `s.${name}`).join(', '))},
        coalesce(waits.wait_seconds, '{}')
      from (select hour, ${sql.raw(counters.map((name) => `sum(${name}) as ${name}`).join(', '))} from mine group by hour) s
      left join waits on waits.hour = s.hour`;
}

/** Writes these hours' breakdowns. */
export function shareHours(key: AgentKey, hours: readonly string[]): SQL {
  const bounds = sql`${sql.param(LATENCY_BUCKET_BOUNDS_MS)}::int[]`;
  return sql`
    with mine as (select * from insight_conversation f where ${ofAgent(key, 'f')} and f.hour = any(${sql.param(hours)}::timestamptz[])),
      parts as (
        select hour, 'channel' as kind, channel as value, conversations as n from mine where conversations > 0
        union all select hour, 'country', country, conversations from mine where conversations > 0
        union all select hour, 'language', language, conversations from mine where conversations > 0
        union all select hour, 'source', s.key, s.value::int from mine, jsonb_each_text(sources) s
        union all select hour, 'firstToken', width_bucket(ms, ${bounds})::text, 1 from mine, unnest(first_token_ms) ms
        union all select hour, 'total', width_bucket(ms, ${bounds})::text, 1 from mine, unnest(total_ms) ms)
    insert into insight_share (organization_id, agent_id, hour, kind, value, count)
    select ${key.organizationId}, ${key.agentId}, hour, kind, value, sum(n) from parts group by hour, kind, value`;
}

/** Writes these people's sums; someone who hasn't written anything has none. */
export function sumPeople(key: AgentKey, userIds: readonly string[]): SQL {
  return sql`
    insert into insight_person (organization_id, agent_id, user_id, ${list}, first_seen_at, last_seen_at)
    select ${key.organizationId}, ${key.agentId}, f.user_id, ${sums}, min(first_at), max(last_at)
      from insight_conversation f where ${ofAgent(key, 'f')} and f.user_id = ${anyOf(userIds)}
     group by f.user_id having max(last_at) is not null`;
}
