import type Stripe from 'stripe';
import type { Deps } from '../../deps.ts';
import { idOf } from '../../payment/reach.ts';
import { endSubscription, isOutOfReach } from './end-subscriptions.ts';
import { endListed } from './ended.ts';
import { intentsOf, readCharge } from './facts.ts';
import { payBack } from './pay-back.ts';

interface Ended {
  id: string;
  account: string;
  /** The purchase still exists, and its agent may come back. */
  isKept: boolean;
}

const listed = {
  table: 'ended_checkout',
  key: 'session_id',
  also: `exists (select from purchase p where p.session_id = ended_checkout.session_id and p.user_id is not null) as "isKept"`,
} as const;

/** Closes checkout pages for things that are gone. A payment already made there is refunded. */
export function endCheckouts(deps: Pick<Deps, 'db' | 'log' | 'payments'>): Promise<number> {
  return endListed<Ended>(deps, listed, (ended) =>
    end(deps.payments.stripe, ended).catch((error: unknown) => {
      if (!isOutOfReach(error)) throw error;
      return true;
    }),
  );
}

/** False while it is unknown whether it was paid: some payment methods take days. */
async function end(stripe: Stripe, { id, account, isKept }: Ended): Promise<boolean> {
  const at = { stripeAccount: account };
  const session = await stripe.checkout.sessions.retrieve(id, {}, at);
  if (session.status === 'open') await stripe.checkout.sessions.expire(id, {}, at);
  if (session.status !== 'complete') return true;
  const subscription = idOf(session.subscription);
  if (subscription !== null)
    await endSubscription(stripe, { id: subscription, account, atPeriodEnd: isKept });
  if (isKept) return true;
  if (session.payment_status === 'unpaid') return false;
  for (const intent of await intentsOf(stripe, session, at)) {
    const charge = await readCharge(stripe, intent, at);
    if (charge) await payBack(stripe, account, { id: intent, fee: charge.application_fee_amount ?? 0 });
  }
  return true;
}
