import { sql, type SQL } from 'drizzle-orm';
import { planTypes } from '../../contract/plans.ts';
import type { Config } from '../config.ts';

/** What an answer takes before its model is asked; what it costs is known when it is settled. */
export const CREDITS_AN_ANSWER = 1;

/** The month that an answer counts for: that in which it was asked for, in UTC. */
export function monthOf(moment: Date): string {
  return moment.toISOString().slice(0, 7);
}

/** How many credits a month the plan of this organization has, in SQL; undefined where nothing is limited. */
export function creditLimit({ billing }: Pick<Config, 'billing'>, organizationId: SQL): SQL | undefined {
  if (billing.mode === 'off') return undefined;
  const cases = planTypes.map((type) => sql`when ${type} then ${billing.plans[type].creditsAMonth}::int`);
  return sql`(select case plan_type ${sql.join(cases, sql` `)} end from organization where id = ${organizationId})`;
}
