import { Counts, type PlanChange, type Usage } from '../../../contract/billing.ts';
import type { PlanType } from '../../../contract/plans.ts';
import type { Config } from '../../config/config.ts';
import { rankOf } from './provider-state.ts';
import type { StoredSubscription } from './subscription-store.ts';

const kinds = Counts.keyof().options;

/** What choosing a plan would involve, from local knowledge: the provider isn't called. */
export function previewOf(
  { billing }: Pick<Config, 'billing'>,
  { planType: now, counts }: Usage,
  known: StoredSubscription | undefined,
  planType: PlanType,
): PlanChange {
  if (billing.mode === 'off') return { takesEffect: 'never', at: null, over: [] };
  const plan = billing.plans[planType];
  const over = kinds
    .map((kind) => ({ kind, used: counts[kind], limit: plan[kind] }))
    .filter(({ used, limit }) => used > limit);
  return { ...momentOf(now, known, planType), over };
}

function momentOf(
  now: PlanType,
  known: StoredSubscription | undefined,
  planType: PlanType,
): Pick<PlanChange, 'takesEffect' | 'at'> {
  // A subscription that no longer gives anything can't be changed.
  if (!known?.subscriptionId || now === 'FREE_PLAN')
    return { takesEffect: planType === now ? 'never' : 'checkout', at: null };
  const isLeaving = known.endsAtPeriodEnd || known.nextPlanType !== null;
  if (planType === now) return { takesEffect: isLeaving ? 'now' : 'never', at: null };
  if (rankOf(planType) > rankOf(now)) return { takesEffect: 'now', at: null };
  return { takesEffect: 'period-end', at: known.periodEndsAt?.toISOString() ?? null };
}
