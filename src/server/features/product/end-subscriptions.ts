import Stripe from 'stripe';
import type { Deps } from '../../deps.ts';
import { endListed } from './ended.ts';

interface Ended {
  id: string;
  account: string;
  atPeriodEnd: boolean;
}

const listed = {
  table: 'ended_subscription',
  key: 'subscription_id',
  also: 'at_period_end as "atPeriodEnd"',
} as const;

/** Ends the subscriptions to things that are gone. */
export function endSubscriptions(deps: Pick<Deps, 'db' | 'log' | 'payments'>): Promise<number> {
  return endListed<Ended>(deps, listed, (ended) => endSubscription(deps.payments.stripe, ended));
}

/** A subscription that has already ended counts as ended. */
export async function endSubscription(stripe: Stripe, { id, account, atPeriodEnd }: Ended): Promise<true> {
  const at = { stripeAccount: account };
  try {
    const { status } = await stripe.subscriptions.retrieve(id, {}, at);
    if (status === 'canceled' || status === 'incomplete_expired') return true;
    if (atPeriodEnd) await stripe.subscriptions.update(id, { cancel_at_period_end: true }, at);
    else await stripe.subscriptions.cancel(id, {}, at);
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
  }
  return true;
}

/** It is gone at the provider, or its account has disconnected: nothing can be done. */
export function isOutOfReach(error: unknown): boolean {
  const isGone = error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404;
  return isGone || error instanceof Stripe.errors.StripePermissionError;
}
