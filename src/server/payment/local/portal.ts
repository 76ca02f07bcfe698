import type Stripe from 'stripe';
import * as z from 'zod';
import type { Books } from './books.ts';
import { invalid } from './api-error.ts';
import { newId } from './kinds.ts';
import { address, anything, flag, id, listing, metadata, mergeMetadata, word } from './params.ts';
import { listOf, route, type Route } from './route.ts';

const isOffered = z.strictObject({ enabled: flag });
const features = z
  .strictObject({
    customer_update: z.strictObject({ enabled: flag, allowed_updates: z.array(word).optional() }),
    invoice_history: isOffered,
    payment_method_update: isOffered,
    subscription_cancel: z.strictObject({
      enabled: flag,
      mode: z.enum(['at_period_end', 'immediately']).optional(),
    }),
    subscription_update: z.strictObject({
      enabled: flag,
      default_allowed_updates: z.array(z.enum(['price', 'promotion_code', 'quantity'])).optional(),
      products: z.array(z.strictObject({ product: id, prices: z.array(id) })).optional(),
      proration_behavior: z.enum(['always_invoice', 'create_prorations', 'none']).optional(),
    }),
  })
  .partial();
const configurationFields = {
  ...anything,
  business_profile: z
    .strictObject({
      headline: word.optional(),
      privacy_policy_url: address.optional(),
      terms_of_service_url: address.optional(),
    })
    .optional(),
  default_return_url: address.optional(),
  metadata: metadata.optional(),
};

async function createConfiguration(
  books: Books,
  given: z.output<z.ZodObject<typeof configurationFields>> & { features: z.output<typeof features> },
): Promise<Stripe.BillingPortal.Configuration> {
  const configuration = {
    id: newId('billing_portal.configuration'),
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: given.business_profile ?? {},
    created: books.now,
    default_return_url: given.default_return_url ?? null,
    features: withDefaults(given.features),
    is_default: false,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: mergeMetadata({}, given.metadata),
    name: null,
    updated: books.now,
  } as unknown as Stripe.BillingPortal.Configuration;
  await books.put(configuration);
  await books.emit('billing_portal.configuration.created', configuration);
  return configuration;
}

function withDefaults(given: z.output<typeof features>): object {
  return {
    customer_update: { allowed_updates: [], ...(given.customer_update ?? { enabled: false }) },
    invoice_history: given.invoice_history ?? { enabled: false },
    payment_method_update: given.payment_method_update ?? { enabled: false },
    subscription_cancel: {
      mode: 'at_period_end',
      proration_behavior: 'none',
      cancellation_reason: { enabled: false, options: [] },
      ...(given.subscription_cancel ?? { enabled: false }),
    },
    subscription_update: {
      default_allowed_updates: [],
      products: [],
      proration_behavior: 'create_prorations',
      ...(given.subscription_update ?? { enabled: false }),
    },
  };
}

const changedConfiguration = z.strictObject({
  ...configurationFields,
  active: flag.optional(),
  features: features.optional(),
});

async function updateConfiguration(
  books: Books,
  given: z.output<typeof changedConfiguration>,
  configurationId: string,
): Promise<Stripe.BillingPortal.Configuration> {
  const configuration = await books.get('billing_portal.configuration', configurationId);
  const known = configuration.features as z.output<typeof features>;
  if (given.active !== undefined) configuration.active = given.active;
  if (given.features) Object.assign(known, withDefaults({ ...known, ...given.features }));
  if (given.default_return_url !== undefined) configuration.default_return_url = given.default_return_url;
  Object.assign(configuration.business_profile, given.business_profile);
  configuration.metadata = mergeMetadata(configuration.metadata, given.metadata);
  configuration.updated = books.now;
  await books.put(configuration);
  await books.emit('billing_portal.configuration.updated', configuration);
  return configuration;
}

/**
 * The named configuration, or the account's default, which exists only once its owner has saved settings at Stripe:
 * nobody does that here.
 */
async function configurationFor(
  books: Books,
  configurationId: string | undefined,
): Promise<Stripe.BillingPortal.Configuration> {
  if (configurationId !== undefined)
    return books.get('billing_portal.configuration', configurationId, 'configuration');
  throw invalid(
    'configuration',
    'No configuration provided and your test mode default configuration has not been created. Provide a configuration or create your default by saving your customer portal settings in test mode.',
  );
}

async function createSession(
  books: Books,
  pages: string,
  given: { customer: string; return_url?: string | undefined; configuration?: string | undefined },
): Promise<Stripe.BillingPortal.Session> {
  await books.get('customer', given.customer, 'customer');
  const configuration = await configurationFor(books, given.configuration);
  const sessionId = newId('billing_portal.session');
  const session: Stripe.BillingPortal.Session = {
    id: sessionId,
    object: 'billing_portal.session',
    configuration: configuration.id,
    created: books.now,
    customer: given.customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: given.return_url ?? configuration.default_return_url,
    url: `${pages}/portal/${sessionId}`,
  };
  await books.put(session);
  await books.emit('billing_portal.session.created', session);
  return session;
}

export function portalRoutes(pages: () => string): Route[] {
  const configurations = '/v1/billing_portal/configurations';
  return [
    route(
      'POST',
      '/v1/billing_portal/sessions',
      z.strictObject({
        ...anything,
        customer: id,
        return_url: address.optional(),
        configuration: id.optional(),
      }),
      (books, input) => createSession(books, pages(), input),
    ),
    route('POST', configurations, z.strictObject({ ...configurationFields, features }), createConfiguration),
    route(
      'GET',
      configurations,
      z.strictObject({ ...listing, active: flag.optional(), is_default: flag.optional() }),
      async (books, { active, is_default, ...page }) =>
        listOf(
          configurations,
          await books.list('billing_portal.configuration', { active, is_default }, page),
        ),
    ),
    route('GET', `${configurations}/:id`, z.strictObject(anything), (books, _input, { id }) =>
      books.get('billing_portal.configuration', id),
    ),
    route('POST', `${configurations}/:id`, changedConfiguration, (books, input, { id }) =>
      updateConfiguration(books, input, id),
    ),
  ];
}
