import type Stripe from 'stripe';
import { isPaidBack, reach } from '../../payment/reach.ts';
import type { StoredPayment } from './purchase-store.ts';

/**
 * All that is left of a payment, so it is paid back once, also when it is asked for again before the provider has told. Without a key of
 * our own, under which the provider would give one refusal (an account without money) for a day.
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
