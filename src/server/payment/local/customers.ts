import type Stripe from 'stripe';
import * as z from 'zod';
import type { Books } from './books.ts';
import { newId, word as newWord, type Card } from './kinds.ts';
import { anything, id, listing, mergeMetadata, metadata, word } from './params.ts';
import { listOf, route, type Route } from './route.ts';
import { cancelNow } from './subscriptions.ts';

const postal = z
  .strictObject({ city: word, country: word, line1: word, line2: word, postal_code: word, state: word })
  .partial();
const fields = {
  ...anything,
  email: word.optional(),
  name: word.optional(),
  phone: word.optional(),
  description: word.optional(),
  address: postal.optional(),
  metadata: metadata.optional(),
  preferred_locales: z.array(word).optional(),
  invoice_settings: z.strictObject({ default_payment_method: id.optional() }).optional(),
};

export async function createCustomer(
  books: Books,
  {
    metadata,
    ...given
  }: Partial<Pick<Stripe.Customer, 'email' | 'name' | 'test_clock'>> & {
    metadata?: Record<string, string> | null;
  },
): Promise<Stripe.Customer> {
  const customer: Stripe.Customer = {
    id: newId('customer'),
    object: 'customer',
    address: null,
    balance: 0,
    created: books.now,
    currency: null,
    default_source: null,
    delinquent: false,
    description: null,
    email: null,
    invoice_prefix: newWord().slice(0, 8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: mergeMetadata({}, metadata),
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
    ...given,
  };
  await books.put(customer);
  await books.emit('customer.created', customer);
  return customer;
}

/** Stores what Stripe reveals of a card: its brand and last four digits, never its number. */
export async function attachCard(
  books: Books,
  customer: string | null,
  card: Card,
): Promise<Stripe.PaymentMethod> {
  const method = {
    id: newId('payment_method'),
    object: 'payment_method',
    allow_redisplay: 'limited',
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    card: {
      brand: card.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: card.brand,
      exp_month: card.expMonth,
      exp_year: card.expYear,
      funding: 'credit',
      last4: card.last4,
      networks: { available: [card.brand], preferred: null },
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: books.now,
    customer,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  } as unknown as Stripe.PaymentMethod;
  await books.put(method, { behaviour: card.behaviour });
  if (customer !== null) await books.emit('payment_method.attached', method);
  return method;
}

/** From now on it pays for everything that names no other card. */
export async function useCard(books: Books, customerId: string, methodId: string): Promise<void> {
  const customer = await books.get('customer', customerId, 'customer');
  const before = { invoice_settings: { ...customer.invoice_settings } };
  customer.invoice_settings.default_payment_method = methodId;
  await books.put(customer);
  await books.emit('customer.updated', customer, before);
}

async function update(
  books: Books,
  input: Partial<Stripe.Customer>,
  customerId: string,
): Promise<Stripe.Customer> {
  const customer = await books.get('customer', customerId);
  const {
    metadata,
    invoice_settings: settings,
    expand: _,
    ...plain
  } = input as typeof input & { expand?: unknown };
  const before = Object.fromEntries(
    Object.keys(plain).map((name) => [name, customer[name as keyof Stripe.Customer]]),
  );
  for (const [name, value] of Object.entries(plain)) {
    if (value !== undefined) Object.assign(customer, { [name]: value === '' ? null : value });
  }
  customer.metadata = mergeMetadata(customer.metadata, metadata);
  const method = settings?.default_payment_method;
  if (typeof method === 'string') {
    await books.get('payment_method', method, 'invoice_settings[default_payment_method]');
    customer.invoice_settings.default_payment_method = method;
  }
  await books.put(customer);
  await books.emit('customer.updated', customer, before);
  return customer;
}

/** Also ends the customer's subscriptions. */
async function deleteCustomer(books: Books, customerId: string): Promise<object> {
  const customer = await books.get('customer', customerId);
  const { data: subscriptions } = await books.list('subscription', { customer: customerId });
  for (const subscription of subscriptions) {
    if (subscription.status !== 'canceled') await cancelNow(books, subscription);
  }
  const deleted = { id: customerId, object: 'customer', deleted: true } as const;
  await books.put<'customer'>(deleted);
  await books.emit('customer.deleted', customer);
  return deleted;
}

export const customerRoutes: Route[] = [
  route(
    'POST',
    '/v1/customers',
    z.strictObject({ ...fields, test_clock: id.optional() }),
    async (books, { expand: _, test_clock: clock, invoice_settings: settings, ...given }) => {
      if (clock !== undefined) await books.get('test_helpers.test_clock', clock, 'test_clock');
      if (settings?.default_payment_method !== undefined)
        await books.get(
          'payment_method',
          settings.default_payment_method,
          'invoice_settings[default_payment_method]',
        );
      return createCustomer(books, { ...(given as Partial<Stripe.Customer>), test_clock: clock ?? null });
    },
  ),
  route(
    'GET',
    '/v1/customers',
    z.strictObject({ ...listing, email: word.optional() }),
    async (books, input) =>
      listOf('/v1/customers', await books.list('customer', { email: input.email }, input)),
  ),
  route('GET', '/v1/customers/:id', z.strictObject(anything), async (books, _input, { id }) => {
    const found = await books.find('customer', id);
    return found ?? (await books.get('customer', id));
  }),
  route('POST', '/v1/customers/:id', z.strictObject(fields), (books, input, { id }) =>
    update(books, input as Partial<Stripe.Customer>, id),
  ),
  route('DELETE', '/v1/customers/:id', z.strictObject({}), (books, _input, { id }) =>
    deleteCustomer(books, id),
  ),
  route(
    'GET',
    '/v1/customers/:id/payment_methods',
    z.strictObject({ ...listing, type: word.optional() }),
    async (books, input, { id }) => {
      await books.get('customer', id);
      return listOf(
        `/v1/customers/${id}/payment_methods`,
        await books.list('payment_method', { customer: id }, input),
      );
    },
  ),
  route(
    'GET',
    '/v1/payment_methods',
    z.strictObject({ ...listing, customer: id.optional(), type: word.optional() }),
    async (books, input) =>
      listOf('/v1/payment_methods', await books.list('payment_method', { customer: input.customer }, input)),
  ),
  route('GET', '/v1/payment_methods/:id', z.strictObject(anything), (books, _input, { id }) =>
    books.get('payment_method', id),
  ),
];
