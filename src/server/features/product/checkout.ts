import Stripe from 'stripe';
import { AppError } from '../../app-error.ts';
import type { Deps } from '../../deps.ts';
import { alone, isThere, onceKey, reach } from '../../payment/reach.ts';
import { isPaid } from './pricing.ts';
import * as store from './purchase-store.ts';
import type { StoredPurchase } from './purchase-store.ts';

/** The provider's page for a purchase that is already stored: nobody can pay for something we don't know of. */
export async function openCheckout(
  { db, payments }: Pick<Deps, 'db' | 'payments'>,
  purchase: StoredPurchase,
  { userId, origin, backPath }: { userId: string; origin: string; backPath: string },
): Promise<{ id: string; url: string; customerId: string }> {
  const { organizationId, accountId } = purchase;
  if (accountId === null) throw new AppError('payment/account-needed');
  const customer = { organizationId, accountId, userId };
  const customerId = await customerFor({ db, payments }, customer);
  const given = sessionOf(purchase, {
    customerId,
    origin,
    backPath,
    feePercent: payments.applicationFeePercent,
  });
  const session = await reach(
    payments.stripe.checkout.sessions.create(given, {
      stripeAccount: accountId,
      idempotencyKey: onceKey(`checkout ${purchase.id}`, given),
    }),
  );
  if (session.url === null) throw new AppError('payment/unavailable');
  return { id: session.id, url: session.url, customerId };
}

/** If a person has begun several purchases, only the last can be paid. Errors: 503 while that can't be ensured. */
export async function closeEarlier(
  { db, payments }: Pick<Deps, 'db' | 'payments'>,
  purchase: StoredPurchase,
): Promise<void> {
  const earlier = await db.in({ organizationId: purchase.organizationId }, (tx) =>
    store.listEarlier(tx, purchase),
  );
  for (const each of earlier) await closeSession({ payments }, each);
}

/** Nobody can pay through it any more. Errors: 503. */
export async function closeSession(
  { payments: { stripe } }: Pick<Deps, 'payments'>,
  { sessionId, accountId }: Pick<StoredPurchase, 'sessionId' | 'accountId'>,
): Promise<void> {
  if (sessionId === null || accountId === null) return;
  await reach(stripe.checkout.sessions.expire(sessionId, {}, { stripeAccount: accountId }).catch(unlessOver));
}

/**
 * A session that has ended, by payment or expiry, is reported by its own event; at an account that has disconnected
 * nothing can be done.
 */
function unlessOver(error: unknown): void {
  const { StripeInvalidRequestError, StripePermissionError } = Stripe.errors;
  if (!(error instanceof StripeInvalidRequestError || error instanceof StripePermissionError)) throw error;
}

/** One per person and account, stored by us: never taken from anybody's input. Recreated if the seller has deleted it. */
async function customerFor(
  { db, payments: { stripe } }: Pick<Deps, 'db' | 'payments'>,
  customer: store.Customer,
): Promise<string> {
  const { organizationId, accountId, userId } = customer;
  const known = await db.in({ organizationId }, async (tx) => ({
    id: await store.findCustomer(tx, customer),
    email: await store.emailOf(tx, userId),
  }));
  const options = { stripeAccount: accountId };
  if (known.id !== undefined && (await reach(isThere(stripe, known.id, options)))) return known.id;
  const after = known.id === undefined ? '' : ` after ${known.id}`;
  const asked = { metadata: { user: userId }, ...(known.email === null ? {} : { email: known.email }) };
  const idempotencyKey = onceKey(`customer ${userId}${after}`, asked);
  const made = await reach(stripe.customers.create(asked, { ...options, idempotencyKey }));
  return db.in({ organizationId }, async (tx) => {
    await store.keepCustomer(tx, { ...customer, customerId: made.id }, known.id);
    return (await store.findCustomer(tx, customer)) ?? made.id;
  });
}

function sessionOf(
  { id, priceId, terms }: StoredPurchase,
  {
    customerId,
    origin,
    backPath,
    feePercent,
  }: { customerId: string; origin: string; backPath: string; feePercent: number },
): Stripe.Checkout.SessionCreateParams {
  if (!isPaid(terms) || priceId === null) throw new AppError('payment/account-needed');
  const metadata = { purchase: id };
  const shared: Stripe.Checkout.SessionCreateParams = {
    line_items: [{ price: priceId, quantity: 1 }],
    customer: customerId,
    client_reference_id: id,
    metadata,
    success_url: `${origin}/checkout/confirmation?purchase=${id}`,
    cancel_url: origin + backPath,
    ...(terms.allowsCoupons ? { allow_promotion_codes: true } : {}),
  };
  if (terms.kind === 'recurring') {
    return {
      ...shared,
      mode: 'subscription',
      subscription_data: {
        metadata,
        ...(feePercent > 0 ? { application_fee_percent: feePercent } : {}),
        ...(terms.trialDays > 0 ? { trial_period_days: terms.trialDays } : {}),
      },
    };
  }
  const fee = Math.round((terms.amount * feePercent) / 100);
  return {
    ...shared,
    mode: 'payment',
    payment_intent_data: { metadata, ...(fee > 0 ? { application_fee_amount: fee } : {}) },
  };
}

/** Serializes purchases of the same product by the same person, so that many clicks make one. */
export function oneByOne<T>(
  deps: Pick<Deps, 'locks'>,
  userId: string,
  productId: string,
  work: () => Promise<T>,
): Promise<T> {
  return alone(deps, `buy ${userId} ${productId}`, work);
}
