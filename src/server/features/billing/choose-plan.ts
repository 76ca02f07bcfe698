import type Stripe from 'stripe';
import type { PlanType } from '../../../contract/plans.ts';
import { inOrganization } from '../../access/gate.ts';
import { AppError } from '../../app-error.ts';
import type { MemberCaller, RequestContext } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { askProvider } from '../../payment/ask-provider.ts';
import { isThere, onceKey } from '../../payment/reach.ts';
import { limitConcurrency } from '../../load/concurrency-limit.ts';
import { recordAudit } from '../audit/store.ts';
import { findOrganization } from '../organization/store.ts';
import { priceOf } from './plan-price.ts';
import {
  HELD_PLAN,
  HELD_UNTIL,
  heldPlanOf,
  isGraceOver,
  periodOf,
  planOf,
  rankOf,
  readState,
  type ProviderState,
} from './provider-state.ts';
import * as store from './subscription-store.ts';

/** Each holds a database connection while the provider is called. */
const AT_ONCE = 2;

export interface Choice {
  organizationId: string;
  planType: PlanType;
  caller: MemberCaller;
  context: Pick<RequestContext, 'address' | 'origin'>;
}

/** An organization's own plan settings. */
export function billingPath(organizationId: string): string {
  return `/platform/${organizationId}/account/billing`;
}

/**
 * Chooses plans, one at a time per organization: however often it is requested, there is one payment page and one
 * subscription. Returns the page; null if the organization already pays. The plan itself follows from what the provider
 * reports.
 */
export function createPlanChoice(deps: Deps) {
  const turns = limitConcurrency(AT_ONCE);
  return ({ organizationId, planType, caller, context }: Choice): Promise<string | null> =>
    turns(() =>
      inOrganization(deps.db, caller, organizationId, 'organization.own', async (tx) => {
        if (deps.config.billing.mode === 'off')
          throw new AppError(
            'resource/conflict',
            'This installation sets no limits, so there is no plan to choose.',
          );
        await store.lockChoice(tx, organizationId);
        const organization = await findOrganization(tx, organizationId);
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'billing.choosePlan',
          target: { id: organizationId, name: organization?.name ?? '' },
          before: { planType: organization?.planType },
          after: { planType },
        });
        return askProvider(() => choose(tx, deps, organizationId, planType, context.origin));
      }),
    );
}

async function choose(
  tx: Tx,
  deps: Deps,
  organizationId: string,
  planType: PlanType,
  origin: string,
): Promise<string | null> {
  const known = await ensureCustomer(tx, deps, organizationId);
  const there = await readState(deps.payments.stripe, known.customerId);
  const { subscription } = there;
  if (subscription && (planType === 'FREE_PLAN' || isGiving(there, known))) {
    await change(deps, subscription, planType);
    return null;
  }
  // It would keep charging and give nothing in return.
  if (subscription) await deps.payments.stripe.subscriptions.cancel(subscription.id);
  if (planType === 'FREE_PLAN') return null;
  const session = await openSession(deps, known, planType, origin);
  await store.updateSubscription(tx, organizationId, { sessionId: session.id });
  return session.url;
}

/** False for a refunded or disputed subscription, and for one unpaid beyond the grace period. */
function isGiving({ planType, state }: ProviderState, { pastDueSince }: store.StoredSubscription): boolean {
  return planType !== 'FREE_PLAN' && !(state === 'past-due' && isGraceOver(pastDueSince));
}

/** The organization's customer at the provider, created on first use. */
export async function ensureCustomer(
  tx: Tx,
  { payments: { stripe } }: Pick<Deps, 'payments'>,
  organizationId: string,
): Promise<store.StoredSubscription> {
  const known = await store.findSubscription(tx, organizationId);
  if (known && (await isThere(stripe, known.customerId))) return known;
  const name = (await findOrganization(tx, organizationId))?.name ?? '';
  const [email] = await store.ownersMail(tx, organizationId);
  const asked = { name, ...(email === undefined ? {} : { email }), metadata: { organizationId } };
  const idempotencyKey = onceKey(`customer ${organizationId} after ${known?.customerId ?? 'none'}`, asked);
  const made = await stripe.customers.create(asked, { idempotencyKey });
  return store.keepCustomer(tx, organizationId, made.id);
}

/** One page at a time: the previous one if it can still be paid and has the same price, or else a new one that replaces it. */
async function openSession(
  deps: Deps,
  { organizationId, customerId, sessionId }: store.StoredSubscription,
  planType: PlanType,
  origin: string,
): Promise<Stripe.Checkout.Session> {
  const { stripe } = deps.payments;
  const price = await priceOf(deps, planType);
  const before = sessionId === null ? undefined : await stripe.checkout.sessions.retrieve(sessionId);
  if (before?.status === 'open') {
    if (before.metadata?.['price'] === price.id) return before;
    await stripe.checkout.sessions.expire(before.id);
  }
  return stripe.checkout.sessions.create(
    {
      mode: 'subscription',
      customer: customerId,
      client_reference_id: organizationId,
      line_items: [{ price: price.id, quantity: 1 }],
      metadata: { organizationId, price: price.id },
      subscription_data: { metadata: { organizationId } },
      allow_promotion_codes: true,
      success_url: `${origin}/checkout/confirmation?organization=${organizationId}`,
      cancel_url: `${origin}${billingPath(organizationId)}`,
    },
    { idempotencyKey: `plan ${customerId} ${price.id} ${origin} after ${sessionId ?? 'none'}` },
  );
}

/** Switches to a larger plan at once, at a prorated price; to a smaller one, or none, when the period ends. */
async function change(deps: Deps, subscription: Stripe.Subscription, planType: PlanType): Promise<void> {
  const { stripe } = deps.payments;
  if (planType === 'FREE_PLAN') {
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    return;
  }
  const now = planOf(subscription);
  if (rankOf(planType) > rankOf(now)) return enlarge(deps, subscription, planType);
  const held = { [HELD_PLAN]: now, [HELD_UNTIL]: String(periodOf(subscription).endsAt) };
  await reprice(deps, subscription, planType, planType === now ? notHeld : held);
}

/** If the card is declined, the change scheduled for the next period stays scheduled. */
async function enlarge(deps: Deps, subscription: Stripe.Subscription, planType: PlanType): Promise<void> {
  const { stripe } = deps.payments;
  const larger = await itemOf(deps, subscription, planType);
  const isHeld = heldPlanOf(subscription) !== undefined;
  // The proration is based on what was actually paid for.
  if (isHeld) await reprice(deps, subscription, planOf(subscription), notHeld);
  const asked = stripe.subscriptions.update(subscription.id, {
    ...larger,
    metadata: notHeld,
    cancel_at_period_end: false,
    proration_behavior: 'always_invoice',
    payment_behavior: 'error_if_incomplete',
  });
  await asked.catch(async (error: unknown) => {
    if (isHeld) await bringBack(stripe, subscription);
    throw error;
  });
}

/** Restores it to the state that was read. */
async function bringBack(
  stripe: Stripe,
  { id, items, metadata, cancel_at_period_end: isEnding }: Stripe.Subscription,
): Promise<void> {
  await stripe.subscriptions.update(id, {
    items: items.data.map((item) => ({ id: item.id, price: item.price.id })),
    metadata,
    cancel_at_period_end: isEnding,
    proration_behavior: 'none',
  });
}

const notHeld = { [HELD_PLAN]: '', [HELD_UNTIL]: '' };

/** Changes the price from the next period on. */
async function reprice(
  deps: Deps,
  subscription: Stripe.Subscription,
  planType: PlanType,
  metadata: Record<string, string>,
): Promise<void> {
  await deps.payments.stripe.subscriptions.update(subscription.id, {
    ...(await itemOf(deps, subscription, planType)),
    metadata,
    cancel_at_period_end: false,
    proration_behavior: 'none',
  });
}

async function itemOf(deps: Deps, { items }: Stripe.Subscription, planType: PlanType) {
  const [item] = items.data;
  const { id: price } = await priceOf(deps, planType);
  return { items: [item ? { id: item.id, price } : { price }] };
}
