import { sql, type SQL } from 'drizzle-orm';
import { SOFT_STOP_MAX_SHARE } from '../../contract/limits.ts';
import { planTypes, type Plan } from '../../contract/plans.ts';
import type { Config } from '../config/config.ts';
import type { Limit } from './quota.ts';

/** What an answer takes before its model is asked; what it costs is known when it is settled. */
export const CREDITS_AN_ANSWER = 1;

/** What people are told then, where the owner says nothing else. */
export const NO_CREDIT_LEFT = 'This organization has no credits left this month.';

/** As `monthOf` writes it, or where it stands. */
type Month = string | SQL;

/** The month that an answer counts for: that in which it was asked for, in UTC. */
export function monthOf(moment: Date): string {
  return moment.toISOString().slice(0, 7);
}

/** The same in SQL, of a moment as it is kept: to the millisecond, rounded, which can be the first of the next month. */
export function monthIn(moment: SQL): SQL {
  return sql`to_char((${moment})::timestamptz(3) at time zone 'UTC', 'YYYY-MM')`;
}

/** The one that follows. */
export function monthAfter(moment: Date): string {
  return monthOf(new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1)));
}

/** A number of the plan of this organization, in SQL; undefined where nothing is limited. */
export function planNumber(
  { billing }: Pick<Config, 'billing'>,
  organizationId: SQL,
  limit: Limit,
): SQL | undefined {
  if (billing.mode === 'off') return undefined;
  return sql`(select ${byPlan(billing.plans, (plan) => plan[limit])} from organization o where o.id = ${organizationId})`;
}

/**
 * How many answers this organization may have this month, in SQL: what its plan has, some more where its owner does not want it
 * to stop there, and what is left of its bonus. Undefined where nothing is limited.
 */
export function creditLimit(
  { billing }: Pick<Config, 'billing'>,
  organizationId: SQL,
  month: Month = monthOf(new Date()),
): SQL | undefined {
  if (billing.mode === 'off') return undefined;
  const ofPlan = planCredits(billing.plans);
  return sql`(select ${ofPlan} + ${bonusLeft(ofPlan, month)} from organization o where o.id = ${organizationId})`;
}

/** What the plan of an organization `o` has, with what a soft stop adds. */
export function planCredits(plans: Config['billing']['plans']): SQL {
  const hard = byPlan(plans, ({ creditsAMonth }) => creditsAMonth);
  return sql`case o.credit_stop when 'soft' then ${byPlan(plans, softLimit)} else ${hard} end`;
}

/** The bonus of an organization `o` is what is spent last in a month: what months before took of it is gone. */
export function bonusLeft(ofPlan: SQL, month: Month = monthOf(new Date())): SQL {
  return sql`case o.bonus_credits when 0 then 0 else greatest(0, o.bonus_credits - (
    select coalesce(sum(coalesce(u.bonus_used, ${beyondPlan(ofPlan)})), 0) from credit_usage u
     where u.organization_id = o.id and u.month < ${month}))::int end`;
}

/** What of a month `u` was more than its plan had. */
export function beyondPlan(ofPlan: SQL): SQL {
  return sql`greatest(0, u.used + u.reserved - greatest(u.included, ${ofPlan}))`;
}

/** Where a soft stop stops. */
function softLimit({ creditsAMonth }: Pick<Plan, 'creditsAMonth'>): number {
  return Math.floor(creditsAMonth * (1 + SOFT_STOP_MAX_SHARE));
}

function byPlan(plans: Config['billing']['plans'], numberOf: (plan: Plan) => number): SQL {
  const cases = planTypes.map((type) => sql`when ${type} then ${numberOf(plans[type])}::int`);
  return sql`case o.plan_type ${sql.join(cases, sql` `)} end`;
}
