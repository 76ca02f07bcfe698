import { sql, type SQL } from 'drizzle-orm';
import { SOFT_STOP_MAX_SHARE } from '../../contract/limits.ts';
import { planTypes, type Plan } from '../../contract/plans.ts';
import type { Config } from '../config/config.ts';
import type { Limit } from './quota.ts';

/** Reserved for an answer before its model is called; the actual cost is known when it is settled. */
export const CREDITS_AN_ANSWER = 1;

/** The default message for that, unless the owner sets another. */
export const NO_CREDIT_LEFT = 'This organization has no credits left this month.';

/** As `monthOf` formats it, or the column that holds it. */
type Month = string | SQL;

/** The month an answer counts toward: the month it was requested in, in UTC. */
export function monthOf(moment: Date): string {
  return moment.toISOString().slice(0, 7);
}

/** The same in SQL, for a moment as stored: rounded to the millisecond, which can fall in the next month. */
export function monthIn(moment: SQL): SQL {
  return sql`to_char((${moment})::timestamptz(3) at time zone 'UTC', 'YYYY-MM')`;
}

/** The following month. */
export function monthAfter(moment: Date): string {
  return monthOf(new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1)));
}

/** A number from this organization's plan, in SQL; undefined if nothing is limited. */
export function planNumber(
  { billing }: Pick<Config, 'billing'>,
  organizationId: SQL,
  limit: Limit,
): SQL | undefined {
  if (billing.mode === 'off') return undefined;
  return sql`(select ${byPlan(billing.plans, (plan) => plan[limit])} from organization o where o.id = ${organizationId})`;
}

/**
 * How many answers this organization may have this month, in SQL: its plan's credits, some more if its owner chose a
 * soft stop, and the rest of its bonus. Undefined if nothing is limited.
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

/** The credits of an organization `o`'s plan, including the soft stop's extra. */
export function planCredits(plans: Config['billing']['plans']): SQL {
  const hard = byPlan(plans, ({ creditsAMonth }) => creditsAMonth);
  return sql`case o.credit_stop when 'soft' then ${byPlan(plans, softLimit)} else ${hard} end`;
}

/** The remaining bonus of an organization `o`. It is spent last in a month: what earlier months took from it is gone. */
export function bonusLeft(ofPlan: SQL, month: Month = monthOf(new Date())): SQL {
  return sql`case o.bonus_credits when 0 then 0 else greatest(0, o.bonus_credits - (
    select coalesce(sum(coalesce(u.bonus_used, ${beyondPlan(ofPlan)})), 0) from credit_usage u
     where u.organization_id = o.id and u.month < ${month}))::int end`;
}

/** How far a month `u` went beyond its plan. */
export function beyondPlan(ofPlan: SQL): SQL {
  return sql`greatest(0, u.used + u.reserved - greatest(u.included, ${ofPlan}))`;
}

/** The limit with a soft stop. */
function softLimit({ creditsAMonth }: Pick<Plan, 'creditsAMonth'>): number {
  return Math.floor(creditsAMonth * (1 + SOFT_STOP_MAX_SHARE));
}

function byPlan(plans: Config['billing']['plans'], numberOf: (plan: Plan) => number): SQL {
  const cases = planTypes.map((type) => sql`when ${type} then ${numberOf(plans[type])}::int`);
  return sql`case o.plan_type ${sql.join(cases, sql` `)} end`;
}
