import { sql, type SQL } from 'drizzle-orm';
import { allowanceSql } from '../../access/allowance.ts';
import { CREDITS_AN_ANSWER } from '../../access/credits.ts';
import { messageLimits, type Counted } from './limits.ts';

/**
 * What turns that are `opened` take from limited resources: messages of anonymous users, and a month's credits. A
 * single turn takes them without counting other askers, which would cost PostgreSQL a tenth of its statement's time.
 */

/** How many credits the months concerned have, and how many are requested. */
export function planSql(limit: SQL, isMany: boolean): SQL {
  const asked = sql`select organization_id, month, ${CREDITS_AN_ANSWER} * count(*)::int as wanted from opened group by 1, 2`;
  return isMany
    ? sql`plan as (select organization_id, month, wanted, ${limit} as credits from (${asked}) as opened),`
    : sql`plan as (select month, ${limit} as credits from opened),`;
}

/** Takes messages of anonymous users. A member of the agent's organization isn't anonymous. */
export function countedSql(
  who: Counted['who'],
  { isMany, isLimited }: { isMany: boolean; isLimited: boolean },
): SQL {
  const isMember = sql`exists (select from member m
    where m.organization_id = opened.organization_id and m.user_id = opened."userId")`;
  const unknown = sql`from opened join asker on asker.id = opened.id where not is_known`;
  const taken = isMany
    ? sql`select "countedKey", array_agg(clock_timestamp()) ${unknown} and ${isLimited ? isAmple : sql`true`}
        group by "countedKey" order by "countedKey"`
    : sql`select "countedKey", array[clock_timestamp()] ${unknown}`;
  return sql`asker as (select opened.id, ${who === 'visitor' ? sql`false` : isMember} as is_known from opened),
    allowed as (${allowanceSql(taken, messageLimits[who])}),`;
}

export const ofCounted = sql`select opened.* from opened join asker on asker.id = opened.id
  where is_known or exists (select from allowed where key = opened."countedKey")`;

/** Batched askers aren't counted when credits run out: each is then asked separately, and would be counted twice. */
const isAmple = sql`((select count(*) = 1 from opened) or exists (select from plan where plan.month = opened.month
    and plan.wanted + coalesce((select u.used + u.reserved from credit_usage u
      where u.organization_id = plan.organization_id and u.month = plan.month), 0) <= plan.credits))`;

/** Holds credits if the month has enough left. The row is reread if another request has just written it. */
export function heldSql(isMany: boolean): SQL {
  const credits = sql`(select credits from plan where plan.month = granted.month)`;
  const wanted = isMany
    ? sql`select organization_id, month, ${CREDITS_AN_ANSWER} * count(*)::int from granted group by 1, 2
        having ${CREDITS_AN_ANSWER} * count(*) <= ${credits}`
    : sql`select organization_id, month, ${CREDITS_AN_ANSWER}::int from granted where ${CREDITS_AN_ANSWER} <= ${credits}`;
  return sql`held as (
      insert into credit_usage (organization_id, month, reserved) ${wanted}
      on conflict (organization_id, month) do update set reserved = credit_usage.reserved + excluded.reserved
        where credit_usage.used + credit_usage.reserved + excluded.reserved
          <= (select credits from plan where plan.month = excluded.month)
      returning month, used + reserved as taken),`;
}

/** What the turn leaves of the month's credits and the asker's messages; null means there is no limit. */
export function leftSql({
  isLimited,
  counted,
}: {
  isLimited: boolean;
  counted: Counted['who'] | undefined;
}): SQL {
  const credits = sql`(select plan.credits - held.taken from plan join held on held.month = plan.month where plan.month = opened.month)`;
  const messages =
    counted &&
    sql`(select ${messageLimits[counted].max}::int - allowed.taken from allowed where allowed.key = opened."countedKey")`;
  return sql`${isLimited ? credits : sql`null::int`} as "creditsLeft", ${messages ?? sql`null::int`} as "messagesLeft"`;
}
