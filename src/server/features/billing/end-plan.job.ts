import type { Deps } from '../../deps.ts';
import type { JobData } from '../../jobs/jobs.ts';
import { isThere } from './provider-state.ts';

const SUBSCRIPTIONS_READ = 20;

/** Nobody goes on paying for an organization that was deleted. */
export function endPlan({ payments: { stripe } }: Pick<Deps, 'payments'>) {
  return async ({ customerId: customer }: JobData['plan.end']): Promise<void> => {
    if (!(await isThere(stripe, customer))) return;
    const { data } = await stripe.subscriptions.list({ customer, limit: SUBSCRIPTIONS_READ });
    for (const { id } of data) await stripe.subscriptions.cancel(id);
  };
}
