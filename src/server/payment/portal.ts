import type Stripe from 'stripe';

/** Marks our configuration at the provider. */
const MARK = { parley: 'plans' };
const CONFIGURATIONS_READ = 100;

/**
 * The provider's page for a customer's card, invoices and cancellation. Its features are always specified: an account
 * nobody has configured offers nothing, and the provider refuses.
 */
export async function openPortal(
  stripe: Stripe,
  { customer, returnUrl }: { customer: string; returnUrl: string },
  at: Stripe.RequestOptions = {},
): Promise<string> {
  const configuration = (await findConfiguration(stripe, at)) ?? (await createConfiguration(stripe, at));
  const session = await stripe.billingPortal.sessions.create(
    { customer, configuration: configuration.id, return_url: returnUrl },
    at,
  );
  return session.url;
}

async function findConfiguration(
  stripe: Stripe,
  at: Stripe.RequestOptions,
): Promise<Stripe.BillingPortal.Configuration | undefined> {
  const wanted = { active: true, limit: CONFIGURATIONS_READ };
  const { data } = await stripe.billingPortal.configurations.list(wanted, at);
  return data.find(({ metadata }) => metadata?.['parley'] === MARK.parley);
}

async function createConfiguration(
  stripe: Stripe,
  at: Stripe.RequestOptions,
): Promise<Stripe.BillingPortal.Configuration> {
  return stripe.billingPortal.configurations.create(
    {
      metadata: MARK,
      features: {
        invoice_history: { enabled: true },
        payment_method_update: { enabled: true },
        subscription_cancel: { enabled: true, mode: 'at_period_end' },
      },
    },
    { ...at, idempotencyKey: 'portal of plans' },
  );
}
