import { sql, type SQL } from 'drizzle-orm';
import type { Insight, InsightPoint, MemberInsight } from '../../../contract/insight.ts';
import {
  INSIGHT_COUNTRIES_SHOWN,
  INSIGHT_LANGUAGES_SHOWN,
  INSIGHT_SOURCES_SHOWN,
} from '../../../contract/limits.ts';
import { usdOf } from '../../llm/price.ts';
import type { Tx } from '../../db/scope.ts';
import { nameOfItem } from '../knowledge/store.ts';
import { anyOf } from './counting.ts';
import { estimatedRows } from './estimated.ts';
import { isNow, ofScope, type Range, type Scope } from './scope.ts';

export { catchUp, recountGone } from './rollup.ts';
export { daysOf, readEndedRange, readRange } from './range-store.ts';
export { noSums, readSums } from './sums-store.ts';

/** Every statement that reads counts. */

/** Every hour or day of the period, including empty ones. */
export async function readSeries(tx: Tx, scope: Scope, range: Range): Promise<InsightPoint[]> {
  const { timeZone, from, until, period } = range;
  const [unit, zone] = period === '24h' ? ['hour', 'UTC'] : ['day', timeZone];
  const last = sql`date_trunc(${unit}::text, ${until}::timestamptz at time zone ${zone}::text)`;
  // Hours are in UTC: in a zone with a half-hour offset, an hour belongs to the day that contains most of it, once that
  // has begun.
  const local = (moment: SQL) =>
    sql`least(date_trunc(${unit}::text, (${moment} + interval '30 minutes') at time zone ${zone}::text), ${last})`;
  const { rows } = await tx.execute<Omit<InsightPoint, 'at'> & { at: string; cost: string }>(sql`
    with place as (
      select generate_series(${local(sql`${from}::timestamptz`)}, ${last}, ('1 ' || ${unit}::text)::interval) as at),
    counted as (
      select ${local(sql`x.hour`)} as at, sum(conversations) as conversations, sum(messages) as messages, sum(answered) as answered,
          sum(unanswered) as unanswered, sum(failed) as failed, sum(cost) as cost
        from insight_hour x where ${ofScope(scope)} and ${isNow(range)} group by 1),
    estimated as (
      select ${local(sql`x.hour`)} as at, count(*) filter (where sentiment = 'positive') as positive,
          count(*) filter (where sentiment = 'neutral') as neutral, count(*) filter (where sentiment = 'negative') as negative
        from ${estimatedRows} x where ${ofScope(scope)} and ${isNow(range)} group by 1)
    select place.at at time zone ${zone}::text as at, coalesce(conversations, 0)::float8 as conversations,
        coalesce(messages, 0)::float8 as messages, coalesce(answered, 0)::float8 as answered,
        coalesce(unanswered, 0)::float8 as unanswered, coalesce(failed, 0)::float8 as failed,
        coalesce(positive, 0)::float8 as "estimatedPositive", coalesce(neutral, 0)::float8 as "estimatedNeutral",
        coalesce(negative, 0)::float8 as "estimatedNegative", coalesce(cost, 0)::text as cost
      from place left join counted using (at) left join estimated using (at) order by place.at`);
  return rows.map(({ at, cost, ...counts }) => ({
    at: new Date(at).toISOString(),
    ...counts,
    costUsd: usdOf(BigInt(cost)),
  }));
}

/** By the same rule as the days of the series, so that both assign the same hours to a Saturday. */
export async function readHours(tx: Tx, scope: Scope, range: Range): Promise<Insight['hours']> {
  const { timeZone, until } = range;
  const inZone = (moment: SQL) => sql`(${moment}) at time zone ${timeZone}::text`;
  const local = sql`least(${inZone(sql`x.hour + interval '30 minutes'`)}, ${inZone(sql`${until}::timestamptz`)})`;
  const table = sql.raw(scope.userId === undefined ? 'insight_hour' : 'insight_conversation');
  const { rows } = await tx.execute<Insight['hours'][number]>(sql`
    select extract(isodow from ${local})::int as weekday, extract(hour from ${local})::int as hour, sum(messages)::float8 as messages
      from ${table} x where ${ofScope(scope)} and ${isNow(range)} group by 1, 2 having sum(messages) > 0 order by 1, 2`);
  return rows;
}

type Shares = Pick<Insight, 'channels' | 'countries' | 'languages' | 'sources'>;

/** The period's breakdown. */
export async function readShares(tx: Tx, scope: Scope, range: Range): Promise<Shares> {
  const { rows } = await tx.execute<{ kind: string; value: string; count: number; title: string | null }>(sql`
    with summed as (
      select kind, value, sum(count)::float8 as count, row_number() over (partition by kind order by sum(count) desc, value) as place
        from ${shareRows(scope)} x where ${ofScope(scope)} and ${isNow(range)} and kind in ('channel', 'country', 'language', 'source') group by kind, value)
    select kind, value, count, ${nameOfItem} as title from summed
      left join knowledge k on kind = 'source' and k.id = value and k.organization_id = ${scope.organizationId}
     where kind <> 'source' or k.id is not null
     order by kind, place`);
  const of = (kind: string) => rows.filter((row) => row.kind === kind);
  return {
    channels: of('channel').map(({ value, count }) => ({
      channel: value as Shares['channels'][number]['channel'],
      conversations: count,
    })),
    countries: of('country')
      .slice(0, INSIGHT_COUNTRIES_SHOWN)
      .map(({ value, count }) => ({ country: value || null, conversations: count })),
    languages: of('language')
      .slice(0, INSIGHT_LANGUAGES_SHOWN)
      .map(({ value, count }) => ({ language: value || null, conversations: count })),
    sources: of('source')
      .slice(0, INSIGHT_SOURCES_SHOWN)
      .map(({ value, count, title }) => ({ knowledgeId: value, title: title ?? '', answers: count })),
  };
}

/** For a single end user they are read from the per-conversation counts that the sums are made of. */
function shareRows({ userId }: Scope): SQL {
  if (userId === undefined) return sql`insight_share`;
  const each = (kind: string, column = kind) => sql`
    select organization_id, agent_id, user_id, hour, ${sql.raw(`'${kind}'`)} as kind, ${sql.raw(column)} as value, conversations as count
      from insight_conversation where conversations > 0`;
  return sql`(${each('channel')} union all ${each('country')} union all ${each('language')}
    union all select organization_id, agent_id, user_id, hour, 'source', s.key, s.value::int from insight_conversation, jsonb_each_text(sources) s)`;
}

export async function readRevenue(tx: Tx, scope: Scope, range: Range): Promise<Insight['revenue']> {
  const { organizationId, agentIds, userId } = scope;
  const isNowPaid = sql`paid_at >= ${range.from}::timestamptz`;
  const isPayer = sql`and purchase_id in (select id from purchase
    where organization_id = ${organizationId} and user_id = ${userId})`;
  const { rows } = await tx.execute<Insight['revenue'][number]>(sql`
    select currency, coalesce(sum(amount - refunded) filter (where ${isNowPaid}), 0)::float8 as paid,
        coalesce(sum(amount - refunded) filter (where not ${isNowPaid}), 0)::float8 as "paidBefore"
      from payment where organization_id = ${organizationId} and agent_id = ${anyOf(agentIds)} ${userId === undefined ? sql`` : isPayer}
       and (${isNowPaid} or (paid_at >= ${range.beforeFrom}::timestamptz and paid_at <= ${range.beforeUntil}::timestamptz))
     group by currency order by paid desc, currency`);
  return rows;
}

/** For current members; those who did nothing are left out. */
export async function readMembers(tx: Tx, scope: Scope, range: Range): Promise<MemberInsight[]> {
  const { rows } = await tx.execute<MemberInsight & Record<string, unknown>>(sql`
    with mine as (select x.* from insight_member x where ${ofScope(scope)} and ${isNow(range)}),
      waits as (select user_id, round(percentile_cont(0.5) within group (order by seconds))::float8 as median
        from mine cross join unnest(wait_seconds) seconds group by user_id)
    select u.id as "userId", u.name, u.profile_photo as "profilePhoto", sum(mine.answers)::float8 as answers,
        sum(mine.takeovers)::float8 as takeovers, min(waits.median) as "waitSeconds"
      from mine join member m on m.user_id = mine.user_id and m.organization_id = mine.organization_id
        join "user" u on u.id = mine.user_id left join waits on waits.user_id = mine.user_id
     group by u.id order by answers desc, takeovers desc, u.id`);
  return rows;
}

/** Whether this person has ever written to the agent. */
export async function isEndUser(
  tx: Tx,
  { organizationId, agentIds }: Scope,
  userId: string,
): Promise<boolean> {
  const { rows } = await tx.execute(sql`select 1 from insight_person
    where organization_id = ${organizationId} and agent_id = ${anyOf(agentIds)} and user_id = ${userId}`);
  return rows.length > 0;
}
