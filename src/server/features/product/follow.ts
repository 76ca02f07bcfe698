import { sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import { isId } from '../../../contract/id-format.ts';
import { replenish } from '../../access/entitlement.ts';
import { speakFor, type Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import type { Happening } from '../../payment/events.ts';
import { idOf } from '../../payment/reach.ts';
import * as entitlements from './entitlement-store.ts';
import { mismatchOf, readFacts, type Facts } from './facts.ts';
import {
  findPurchase,
  listPayments,
  savePayment,
  updatePurchase,
  type StoredPurchase,
} from './purchase-store.ts';

/** Every event that may change a purchase. The event only says where to look. */
const types = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
  'invoice.payment_failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_reinstated',
] as const satisfies Stripe.Event['type'][];

/** Follows changes to purchases at the provider. */
export function followPurchases(deps: Pick<Deps, 'log' | 'payments'>): void {
  for (const type of types)
    deps.payments.events.on(type, async (tx, happening) => {
      const reason = await follow(deps, tx, happening);
      if (reason === undefined) return;
      const { id: event, account } = happening.event;
      deps.log.warn({ event, type, account, reason }, 'a payment event was ignored');
    });
}

/** Brings the purchase in line with the provider. Returns why it did not. */
async function follow(
  { payments }: Pick<Deps, 'payments'>,
  tx: Tx,
  { object, account }: Happening,
): Promise<string | undefined> {
  const told = object && (await toldBy(tx, payments.stripe, object, account));
  const id = told?.purchaseId;
  // Organizations pay for their plans at our own account, so that is nothing unusual.
  if (!id || !isId('purchase', id)) return account === undefined ? undefined : 'it is of no purchase';
  const organizationId = await organizationOf(tx, sql`organization_of_purchase(${id})`);
  if (organizationId === undefined) return 'it is of no purchase';
  await speakFor(tx, organizationId);
  // Locked before the provider is asked, so a later caller has newer facts.
  const purchase = await findPurchase(tx, { organizationId, id }, { lock: true });
  if (!purchase) return 'it is of no purchase';
  if (purchase.accountId !== account) return 'it is of another account';
  const facts = await readFacts(payments.stripe, purchase, told.intents);
  if (!facts) return 'it is of another session';
  const { isTestMode } = payments;
  const mismatch = mismatchOf(purchase, facts, { account, isTestMode });
  if (mismatch !== undefined || !isOf(told, facts)) return mismatch ?? 'it is of another session';
  await bring(payments.stripe, tx, purchase, facts);
  return undefined;
}

interface Told {
  purchaseId: string | undefined;
  /** The payments it is about. */
  intents: string[];
  sessionId?: string;
  subscriptionId?: string;
}

/** An event is trusted only for where to look. */
async function toldBy(
  tx: Tx,
  stripe: Stripe,
  object: NonNullable<Happening['object']>,
  account: string | undefined,
): Promise<Told | undefined> {
  if ('deleted' in object) return undefined;
  if (object.object === 'checkout.session')
    return { purchaseId: object.client_reference_id ?? undefined, intents: [], sessionId: object.id };
  if (object.object === 'subscription')
    return { purchaseId: object.metadata['purchase'], intents: [], subscriptionId: object.id };
  if (object.object === 'invoice') {
    const of = object.parent?.subscription_details;
    const subscriptionId = idOf(of?.subscription) ?? '';
    return { purchaseId: of?.metadata?.['purchase'], intents: [], subscriptionId };
  }
  if (object.object === 'charge') return ofIntent(tx, idOf(object.payment_intent), object.metadata);
  if (object.object !== 'dispute') return undefined;
  const at = account === undefined ? {} : { stripeAccount: account };
  const charge = await stripe.charges.retrieve(idOf(object.charge) ?? '', {}, at);
  return ofIntent(tx, idOf(object.payment_intent), charge.metadata);
}

/**
 * A payment we know; for others, their own metadata says whose they are. One that arrives before its invoice is read
 * together with it.
 */
async function ofIntent(tx: Tx, intent: string | null, metadata: Stripe.Metadata): Promise<Told | undefined> {
  if (intent === null) return undefined;
  const organizationId = await organizationOf(tx, sql`organization_of_payment(${intent})`);
  if (organizationId === undefined) return { purchaseId: metadata['purchase'], intents: [] };
  await speakFor(tx, organizationId);
  const { rows } = await tx.execute<{ id: string }>(
    sql`select purchase_id as id from payment where id = ${intent} and organization_id = ${organizationId}`,
  );
  return { purchaseId: rows[0]?.id, intents: [intent] };
}

async function organizationOf(tx: Tx, lookup: ReturnType<typeof sql>): Promise<string | undefined> {
  const { rows } = await tx.execute<{ id: string | null }>(sql`select ${lookup} as id`);
  return rows[0]?.id ?? undefined;
}

function isOf({ sessionId, subscriptionId }: Told, { session, subscription }: Facts): boolean {
  if (sessionId !== undefined && sessionId !== session.id) return false;
  return subscriptionId === undefined || subscriptionId === subscription?.id;
}

async function bring(stripe: Stripe, tx: Tx, purchase: StoredPurchase, facts: Facts): Promise<void> {
  const { session, subscription } = facts;
  const { organizationId, agentId, id: purchaseId } = purchase;
  if (session.status !== 'complete') {
    if (session.status === 'expired' && purchase.state === 'pending')
      await updatePurchase(tx, purchase, { state: 'expired' });
    return;
  }
  // Some payment methods take days.
  if (session.payment_status === 'unpaid') return;
  for (const payment of facts.payments)
    await savePayment(tx, { ...payment, organizationId, agentId, purchaseId });
  const payments = await listPayments(tx, purchase);
  const isDisputed = payments.some((payment) => payment.isDisputed);
  const isRefunded = payments.some(({ amount, refunded }) => amount > 0 && refunded >= amount);
  const taken = isDisputed ? 'disputed' : isRefunded ? 'refunded' : undefined;
  const live = stateOf(subscription);
  await updatePurchase(tx, purchase, {
    state: taken ?? (live === 'ended' ? 'ended' : 'paid'),
    subscriptionId: subscription?.id ?? null,
  });
  await bringEntitlement(tx, purchase, subscription, taken ?? live);
  // Nobody keeps paying for what was taken away from them.
  if (taken && subscription && live !== 'ended')
    await stripe.subscriptions.cancel(subscription.id, {}, { stripeAccount: purchase.accountId ?? '' });
}

/** A one-time purchase stays as it is. */
function stateOf(subscription: Facts['subscription']): 'active' | 'trialing' | 'past-due' | 'ended' {
  const status = subscription?.status ?? 'active';
  if (status === 'active') return 'active';
  if (status === 'trialing') return 'trialing';
  return status === 'past_due' ? 'past-due' : 'ended';
}

async function bringEntitlement(
  tx: Tx,
  purchase: StoredPurchase,
  subscription: Facts['subscription'],
  state: entitlements.StoredEntitlement['state'],
): Promise<void> {
  const found = await entitlements.lockEntitlement(tx, purchase);
  const isOpen = entitlements.isOpenState(state);
  const period = periodOf(subscription);
  if (!found) {
    if (isOpen && purchase.userId !== null)
      await entitlements.giveEntitlement(tx, purchase, purchase.userId, { state, ...period });
    return;
  }
  const wasOpen = entitlements.isOpenState(found.state);
  if (!isOpen && (wasOpen || found.state !== state)) return entitlements.closeEntitlement(tx, found, state);
  if (!isOpen) return;
  if (!wasOpen) await entitlements.reopenEntitlement(tx, found, purchase.terms);
  if (!period) return;
  const { periodStart, ...change } = period;
  await entitlements.updateEntitlement(tx, found, { state, ...change });
  const isNew = found.periodStart === null || periodStart > found.periodStart;
  if (isNew && subscription?.latest_invoice?.status === 'paid')
    await replenish(tx, found, { credits: purchase.terms.credits, periodStart });
}

function periodOf(subscription: Facts['subscription']) {
  const item = subscription?.items.data[0];
  if (!subscription || !item) return undefined;
  return {
    periodStart: new Date(item.current_period_start * 1000),
    endsAt: new Date(item.current_period_end * 1000),
    renews: !subscription.cancel_at_period_end && subscription.cancel_at === null,
  };
}
