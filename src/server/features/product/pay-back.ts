import type Stripe from 'stripe';
import { isPaidBack, reach } from '../../payment/reach.ts';
import type { StoredPayment } from './purchase-store.ts';

/**
 * Refunds everything that is left of a payment, so it happens once, even if requested again before the provider has
 * reported it. Uses no idempotency key of our own: the provider would repeat a refusal (an account without funds) for a
 * day.
 */
export async function payBack(
  stripe: Stripe,
  stripeAccount: string,
  { id, fee }: Pick<StoredPayment, 'id' | 'fee'>,
): Promise<void> {
  const paidBack = stripe.refunds
    .create({ payment_intent: id, ...(fee > 0 ? { refund_application_fee: true } : {}) }, { stripeAccount })
    .catch((error: unknown) => {
      if (!isPaidBack(error)) throw error;
    });
  await reach(paidBack);
}
