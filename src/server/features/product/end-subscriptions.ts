import Stripe from 'stripe';
import { inTransaction } from '../../db/as-owner.ts';
import type { Deps } from '../../deps.ts';

/** How often it is looked for subscriptions that nothing is given for any more. */
export const ENDED_SUBSCRIPTIONS_SWEEP_MS = 5000;
const AT_ONCE = 20;

interface Ended {
  id: string;
  account: string;
  atPeriodEnd: boolean;
}

/**
 * Ends them at the provider. An entry goes after that, so that a crash in between only means ending nothing once more; what
 * could not be ended waits behind the others. Runs as the owner, because they belong to nobody any more.
 */
export async function endSubscriptions({
  db,
  log,
  payments,
}: Pick<Deps, 'db' | 'log' | 'payments'>): Promise<number> {
  return inTransaction(db.owner, async (client) => {
    const { rows } = await client.query<Ended>(
      `select subscription_id as id, account_id as account, at_period_end as "atPeriodEnd" from ended_subscription
        order by tried_at limit ${AT_ONCE} for update skip locked`,
    );
    for (const ended of rows) {
      const isDone = await end(payments.stripe, ended).catch((error: unknown) => {
        log.warn({ err: error, subscription: ended.id }, 'a subscription could not be ended yet');
        return false;
      });
      await client.query(
        isDone
          ? 'delete from ended_subscription where subscription_id = $1'
          : 'update ended_subscription set tried_at = now() where subscription_id = $1',
        [ended.id],
      );
    }
    return rows.length;
  });
}

/** What has ended already is ended. */
async function end(stripe: Stripe, { id, account, atPeriodEnd }: Ended): Promise<true> {
  const at = { stripeAccount: account };
  try {
    const { status } = await stripe.subscriptions.retrieve(id, {}, at);
    if (status === 'canceled' || status === 'incomplete_expired') return true;
    if (atPeriodEnd) await stripe.subscriptions.update(id, { cancel_at_period_end: true }, at);
    else await stripe.subscriptions.cancel(id, {}, at);
  } catch (error) {
    const isGone = error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404;
    if (!isGone && !(error instanceof Stripe.errors.StripePermissionError)) throw error;
  }
  return true;
}
