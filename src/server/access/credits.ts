import { sql, type SQL } from 'drizzle-orm';
import { SOFT_STOP_MAX_SHARE } from '../../contract/limits.ts';
import { planTypes, type Plan } from '../../contract/plans.ts';
import type { Config } from '../config.ts';
import type { Limit } from './quota.ts';

/** What an answer takes before its model is asked; what it costs is known when it is settled. */
export const CREDITS_AN_ANSWER = 1;

/** The month that an answer counts for: that in which it was asked for, in UTC. */
export function monthOf(moment: Date): string {
  return moment.toISOString().slice(0, 7);
}

/** A number of the plan of this organization, in SQL; undefined where nothing is limited. */
export function planNumber(
  { billing }: Pick<Config, 'billing'>,
  organizationId: SQL,
  limit: Limit,
): SQL | undefined {
  if (billing.mode === 'off') return undefined;
  return sql`(select ${byPlan(billing.plans, (plan) => plan[limit])} from organization where id = ${organizationId})`;
}

/**
 * How many answers this organization may have this month, in SQL: what its plan has, and some more where its owner does not
 * want it to stop there. Undefined where nothing is limited.
 */
export function creditLimit({ billing }: Pick<Config, 'billing'>, organizationId: SQL): SQL | undefined {
  if (billing.mode === 'off') return undefined;
  const hard = byPlan(billing.plans, ({ creditsAMonth }) => creditsAMonth);
  const soft = byPlan(billing.plans, softLimit);
  return sql`(select case credit_stop when 'soft' then ${soft} else ${hard} end from organization where id = ${organizationId})`;
}

/** Where a soft stop stops. */
export function softLimit({ creditsAMonth }: Pick<Plan, 'creditsAMonth'>): number {
  return Math.floor(creditsAMonth * (1 + SOFT_STOP_MAX_SHARE));
}

function byPlan(plans: Config['billing']['plans'], numberOf: (plan: Plan) => number): SQL {
  const cases = planTypes.map((type) => sql`when ${type} then ${numberOf(plans[type])}::int`);
  return sql`case plan_type ${sql.join(cases, sql` `)} end`;
}
