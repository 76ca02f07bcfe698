import type Stripe from 'stripe';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { billingPath, ensureCustomer } from './choose-plan.ts';
import { lockChoice } from './subscription-store.ts';

/** What marks our configuration at the provider. */
const MARK = { parley: 'plans' };
const CONFIGURATIONS_READ = 100;

/** The provider's page for the card, invoices and the end of the subscription. Plans are changed here, where it is said what that means. */
export async function openPortal(
  tx: Tx,
  deps: Pick<Deps, 'payments'>,
  organizationId: string,
  origin: string,
): Promise<string> {
  const { stripe } = deps.payments;
  await lockChoice(tx, organizationId);
  const { customerId } = await ensureCustomer(tx, deps, organizationId);
  const configuration = (await findConfiguration(stripe)) ?? (await createConfiguration(stripe));
  const session = await stripe.billingPortal.sessions.create({
    customer: customerId,
    configuration: configuration.id,
    return_url: `${origin}${billingPath(organizationId)}`,
  });
  return session.url;
}

async function findConfiguration(stripe: Stripe): Promise<Stripe.BillingPortal.Configuration | undefined> {
  const { data } = await stripe.billingPortal.configurations.list({
    active: true,
    limit: CONFIGURATIONS_READ,
  });
  return data.find(({ metadata }) => metadata?.['parley'] === MARK.parley);
}

async function createConfiguration(stripe: Stripe): Promise<Stripe.BillingPortal.Configuration> {
  return stripe.billingPortal.configurations.create(
    {
      metadata: MARK,
      features: {
        invoice_history: { enabled: true },
        payment_method_update: { enabled: true },
        subscription_cancel: { enabled: true, mode: 'at_period_end' },
      },
    },
    { idempotencyKey: 'portal of plans' },
  );
}
