import * as z from 'zod';
import { plans, planTypes, resyncIntervals, type Plan, type PlanType } from '../../contract/plans.ts';
import { jsonOf } from './values.ts';

/** The plans with the changes from `PLANS`: `{"FREE_PLAN":{"creditsAMonth":500}}`. */
export function readPlans(changes: string): Readonly<Record<PlanType, Plan>> {
  const one = z.strictObject(
    Object.fromEntries(
      Object.entries(plans.FREE_PLAN).map(([name, value]) => [
        name,
        (typeof value === 'number' ? z.number().min(0) : z.enum(resyncIntervals)).optional(),
      ]),
    ),
  );
  const Changes = z.strictObject(Object.fromEntries(planTypes.map((type) => [type, one.optional()])));
  const form = { name: 'PLANS', like: '{"FREE_PLAN":{"creditsAMonth":500}}' };
  const given = jsonOf(changes, Changes, form) as Partial<Record<PlanType, Partial<Plan>>>;
  return Object.fromEntries(
    planTypes.map((type) => [type, { ...plans[type], ...given[type] }]),
  ) as unknown as Readonly<Record<PlanType, Plan>>;
}
