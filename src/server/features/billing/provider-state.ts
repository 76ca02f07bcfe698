import type Stripe from 'stripe';
import { PAYMENT_GRACE_DAYS } from '../../../contract/limits.ts';
import { planTypes, type PlanType, type SubscriptionState } from '../../../contract/plans.ts';
import { isThere } from '../../payment/reach.ts';
import { planOfPrice } from './plan-price.ts';

/** A customer's current state at the provider. */
export interface ProviderState {
  /** The relevant one: of those that continue, that of the largest plan. */
  subscription: Stripe.Subscription | undefined;
  state: SubscriptionState;
  /** What was paid for, or is owed. `FREE_PLAN` if nothing is. */
  planType: PlanType;
  /** The plan from the next period on. */
  nextPlanType: PlanType | null;
  /** Something was charged for this period: a coupon that covers everything leaves nothing to pay. */
  hasPaid: boolean;
}

/** Until when a downgraded subscription keeps its old plan: to the end of the paid period. */
export const HELD_PLAN = 'heldPlan';
export const HELD_UNTIL = 'heldUntil';

const living = ['active', 'trialing', 'past_due', 'unpaid'] as const;
const DAY_MS = 86_400_000;
/** How long before its period a charge may have been made to count as paying for it. */
const CHARGED_BEFORE_SECONDS = 60;
const SUBSCRIPTIONS_READ = 20;
const CHARGES_READ = 50;

export async function readState(stripe: Stripe, customer: string): Promise<ProviderState> {
  if (!(await isThere(stripe, customer))) return nothing('ended');
  const { data } = await stripe.subscriptions.list({ customer, status: 'all', limit: SUBSCRIPTIONS_READ });
  const [subscription] = data
    .filter((each) => living.some((status) => status === each.status) && paidPlanOf(each) !== undefined)
    .toSorted((one, other) => rankOf(planOf(other)) - rankOf(planOf(one)));
  if (!subscription) return nothing(data.length === 0 ? 'none' : 'ended');
  const charges = await chargesOf(stripe, customer, subscription);
  const undone = await undoneState(stripe, charges);
  if (undone) return { ...nothing(undone), subscription };
  const planType = planOf(subscription);
  const next = paidPlanOf(subscription) ?? planType;
  return {
    subscription,
    state: stateOf(subscription),
    planType,
    nextPlanType: next === planType ? null : next,
    hasPaid: charges.length > 0,
  };
}

/** When an unpaid plan ends; null: it is paid. */
export function holdsUntil(pastDueSince: Date | null | undefined): Date | null {
  return pastDueSince ? afterGrace(pastDueSince) : null;
}

export function afterGrace(since: Date): Date {
  return new Date(since.getTime() + PAYMENT_GRACE_DAYS * DAY_MS);
}

export function isGraceOver(pastDueSince: Date | null): boolean {
  return (holdsUntil(pastDueSince)?.getTime() ?? Infinity) <= Date.now();
}

function nothing(state: SubscriptionState): ProviderState {
  return { subscription: undefined, state, planType: 'FREE_PLAN', nextPlanType: null, hasPaid: false };
}

function stateOf({ status }: Stripe.Subscription): SubscriptionState {
  if (status === 'active') return 'active';
  return status === 'trialing' ? 'trialing' : 'past-due';
}

export function rankOf(planType: PlanType): number {
  return planTypes.indexOf(planType);
}

/** According to its price. */
function paidPlanOf({ items }: Stripe.Subscription): PlanType | undefined {
  return planOfPrice(items.data[0]?.price);
}

export function periodOf({ items }: Stripe.Subscription): { startsAt: number; endsAt: number } {
  const [item] = items.data;
  return { startsAt: item?.current_period_start ?? 0, endsAt: item?.current_period_end ?? 0 };
}

/** The plan it gives now: its own or, in the period of a downgrade, the previous one. */
export function planOf(subscription: Stripe.Subscription): PlanType {
  const own = paidPlanOf(subscription) ?? 'FREE_PLAN';
  const held = heldPlanOf(subscription);
  return held && rankOf(held) > rankOf(own) ? held : own;
}

export function heldPlanOf(subscription: Stripe.Subscription): PlanType | undefined {
  const { [HELD_PLAN]: held, [HELD_UNTIL]: until } = subscription.metadata;
  if (Number(until) !== periodOf(subscription).endsAt) return undefined;
  return planTypes.find((type) => type === held);
}

/** The charges for its period. */
async function chargesOf(
  stripe: Stripe,
  customer: string,
  subscription: Stripe.Subscription,
): Promise<Stripe.Charge[]> {
  const { startsAt } = periodOf(subscription);
  const { data } = await stripe.charges.list({ customer, limit: CHARGES_READ });
  return data.filter(
    ({ created, status }) => status === 'succeeded' && created >= startsAt - CHARGED_BEFORE_SECONDS,
  );
}

/** Whether these were fully refunded, or are disputed. */
async function undoneState(
  stripe: Stripe,
  charges: readonly Stripe.Charge[],
): Promise<'refunded' | 'disputed' | undefined> {
  for (const { id } of charges.filter(({ disputed }) => disputed)) {
    const disputes = await stripe.disputes.list({ charge: id, limit: 1 });
    if (disputes.data.some(({ status }) => status !== 'won' && status !== 'warning_closed'))
      return 'disputed';
  }
  return charges.some(({ refunded }) => refunded) ? 'refunded' : undefined;
}
