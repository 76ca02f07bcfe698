import type { Deps } from '../../deps.ts';
import type { JobData } from '../../jobs/jobs.ts';
import { isThere } from '../../payment/reach.ts';

/** More than a customer ever has at once. */
const AT_ONCE = 20;

/** Nobody keeps paying, or starts to pay, for a deleted organization. */
export function endPlan({ payments: { stripe } }: Pick<Deps, 'payments'>) {
  return async ({ customerId: customer }: JobData['plan.end']): Promise<void> => {
    if (!(await isThere(stripe, customer))) return;
    // Before subscriptions are read: a checkout paid meanwhile shows up among them, or can't be closed, and this is
    // retried.
    const open = await stripe.checkout.sessions.list({ customer, status: 'open', limit: AT_ONCE });
    for (const { id } of open.data) await stripe.checkout.sessions.expire(id);
    const { data } = await stripe.subscriptions.list({ customer, limit: AT_ONCE });
    for (const { id } of data) await stripe.subscriptions.cancel(id);
  };
}
