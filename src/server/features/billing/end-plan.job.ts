import type { Deps } from '../../deps.ts';
import type { JobData } from '../../jobs/jobs.ts';
import { isThere } from '../../payment/reach.ts';

/** More than a customer ever has at once. */
const AT_ONCE = 20;

/** Nobody goes on paying for an organization that was deleted, or begins to. */
export function endPlan({ payments: { stripe } }: Pick<Deps, 'payments'>) {
  return async ({ customerId: customer }: JobData['plan.end']): Promise<void> => {
    if (!(await isThere(stripe, customer))) return;
    // Before subscriptions are read: what is paid meanwhile is among them, or cannot be closed, and this is tried again.
    const open = await stripe.checkout.sessions.list({ customer, status: 'open', limit: AT_ONCE });
    for (const { id } of open.data) await stripe.checkout.sessions.expire(id);
    const { data } = await stripe.subscriptions.list({ customer, limit: AT_ONCE });
    for (const { id } of data) await stripe.subscriptions.cancel(id);
  };
}
