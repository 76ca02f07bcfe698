import type Stripe from 'stripe';
import * as z from 'zod';
import type { Books } from './books.ts';
import { invalid } from './api-error.ts';
import { createPrice } from './catalog.ts';
import { sessionFields, type SessionFields } from './checkout-fields.ts';
import { couponIdOf, discountOf, usableCoupon } from './discounts.ts';
import { newId, word, type Order, type Ordered } from './kinds.ts';
import { anything, id, listing, mergeMetadata } from './params.ts';
import { DAY_SECONDS } from './periods.ts';
import { expire } from './renewals.ts';
import { listOf, route, type Route } from './route.ts';
import { linesOf, pricesOf } from './subscriptions.ts';

const SHORTEST_SECONDS = 1800;

const blankSession = {
  object: 'checkout.session',
  adaptive_pricing: null,
  after_expiration: null,
  allowed_payment_method_types: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [] as Stripe.Checkout.Session.CustomField[],
  custom_text: {
    after_submit: null,
    shipping_address: null,
    submit: null,
    terms_of_service_acceptance: null,
  },
  customer_account: null,
  customer_details: null,
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  livemode: false,
  managed_payments: null,
  origin_context: null,
  payment_intent: null,
  payment_link: null,
  payment_method_configuration_details: null,
  payment_method_options: null,
  payment_method_types: ['card'] as string[],
  permissions: null,
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [] as Stripe.Checkout.Session.ShippingOption[],
  status: 'open',
  subscription: null,
  ui_mode: 'hosted',
  wallet_options: null,
} as const;

async function createSession(
  books: Books,
  pages: string,
  given: SessionFields,
): Promise<Stripe.Checkout.Session> {
  await checkParties(books, given);
  const lines = await orderedOf(books, given);
  const prices = await pricesOf(books, lines);
  checkPrices(given.mode, prices);
  const coupon = await couponIn(books, given);
  const order = orderOf(given, lines, coupon?.id ?? null);
  const sessionId = newId('checkout.session');
  const session = {
    ...blankSession,
    id: sessionId,
    allow_promotion_codes: given.allow_promotion_codes ?? null,
    ...(await amountsOf(books, order)),
    cancel_url: given.cancel_url ?? null,
    client_reference_id: given.client_reference_id ?? null,
    created: books.now,
    currency: prices[0]?.currency ?? given.currency ?? null,
    customer: given.customer ?? null,
    customer_creation:
      given.customer === undefined && given.mode === 'payment'
        ? (given.customer_creation ?? 'if_required')
        : null,
    customer_email: given.customer_email ?? null,
    discounts: coupon ? [{ coupon: coupon.id, promotion_code: null }] : [],
    expires_at: expiryOf(books.now, given.expires_at),
    locale: given.locale ?? null,
    metadata: mergeMetadata({}, given.metadata),
    mode: given.mode,
    payment_method_collection:
      given.mode === 'subscription' ? (given.payment_method_collection ?? 'always') : null,
    payment_status: given.mode === 'setup' ? 'no_payment_required' : 'unpaid',
    submit_type: given.submit_type ?? null,
    success_url: given.success_url,
    url: `${pages}/checkout/${sessionId}`,
  } as Stripe.Checkout.Session;
  await books.put(session, { order });
  return session;
}

async function checkParties(books: Books, given: SessionFields): Promise<void> {
  if (given.customer !== undefined) await books.get('customer', given.customer, 'customer');
  if (given.customer !== undefined && given.customer_email !== undefined)
    throw invalid(
      'customer_email',
      'You may only specify one of these parameters: customer, customer_email.',
    );
  const destination = (given.payment_intent_data ?? given.subscription_data)?.transfer_data?.destination;
  const payee = destination ?? books.account;
  const account = payee === '' ? undefined : await books.of('').get('account', payee, 'destination');
  if (account && !account.charges_enabled)
    throw invalid('', 'Your account cannot currently make charges.', 'account_invalid');
  const hasFee =
    given.payment_intent_data?.application_fee_amount ?? given.subscription_data?.application_fee_percent;
  if (hasFee !== undefined && payee === '')
    throw invalid('application_fee_amount', 'An application fee needs a connected account.');
}

function checkPrices(mode: SessionFields['mode'], prices: Stripe.Price[]): void {
  if (mode === 'setup') return;
  const [first] = prices;
  if (!first) throw invalid('line_items', 'Missing required param: line_items.', 'parameter_missing');
  if (prices.some(({ active }) => !active)) throw invalid('line_items', 'The price specified is inactive.');
  if (prices.some(({ currency }) => currency !== first.currency))
    throw invalid('line_items', 'All prices of a session have one currency.');
  const recurring = prices.filter(({ recurring }) => recurring !== null);
  if (mode === 'payment' && recurring.length > 0)
    throw invalid('line_items', 'You specified `payment` mode but passed a recurring price.');
  if (mode === 'subscription' && recurring.length < prices.length)
    throw invalid('line_items', 'Here, a session in `subscription` mode takes recurring prices only.');
}

async function orderedOf(books: Books, given: SessionFields): Promise<Ordered[]> {
  const lines: Ordered[] = [];
  for (const [at, { price, price_data: data, quantity = 1 }] of (given.line_items ?? []).entries()) {
    const param = `line_items[${at}][price]`;
    if (price === undefined && !data)
      throw invalid(param, `Missing required param: ${param}.`, 'parameter_missing');
    const found = price === undefined ? undefined : await books.get('price', price, param);
    const made = found ?? (data ? await createPrice(books, data) : undefined);
    if (made) lines.push({ price: made.id, quantity });
  }
  return lines;
}

async function couponIn(books: Books, { discounts = [] }: SessionFields): Promise<Stripe.Coupon | undefined> {
  const [given] = discounts;
  if (!given) return undefined;
  const code =
    given.promotion_code === undefined
      ? undefined
      : await books.get('promotion_code', given.promotion_code, 'discounts[0][promotion_code]');
  const couponId = code ? couponIdOf(code) : (given.coupon ?? '');
  await books.get('coupon', couponId, 'discounts[0][coupon]');
  const coupon = await usableCoupon(books, couponId);
  if (!coupon) throw invalid('discounts', 'This coupon can no longer be used.', 'coupon_expired');
  return coupon;
}

function orderOf(given: SessionFields, lines: Ordered[], coupon: string | null): Order {
  const { payment_intent_data: payment, subscription_data: subscription } = given;
  return {
    lines,
    coupon,
    feeAmount: payment?.application_fee_amount ?? null,
    feePercent: subscription?.application_fee_percent ?? null,
    destination: (payment ?? subscription)?.transfer_data?.destination ?? null,
    trialEnd: subscription?.trial_end ?? null,
    trialDays: subscription?.trial_period_days ?? null,
    cancelWithoutCard: subscription?.trial_settings?.end_behavior.missing_payment_method === 'cancel',
    metadata: mergeMetadata({}, (payment ?? subscription)?.metadata),
    description: (payment ?? subscription)?.description ?? null,
    asked: null,
    addedCode: null,
  };
}

function expiryOf(now: number, given: number | undefined): number {
  if (given === undefined) return now + DAY_SECONDS;
  if (given < now + SHORTEST_SECONDS || given > now + DAY_SECONDS)
    throw invalid('expires_at', 'expires_at must be between 30 minutes and 24 hours from now.');
  return given;
}

/** The amount due now: nothing if a trial comes first. */
export async function amountsOf(
  books: Books,
  order: Order,
): Promise<Pick<Stripe.Checkout.Session, 'amount_subtotal' | 'amount_total' | 'total_details'>> {
  const prices = await pricesOf(books, order.lines);
  const hasTrial = order.trialDays !== null || order.trialEnd !== null;
  const subtotal = hasTrial ? 0 : linesOf(prices, order.lines).reduce((sum, { amount }) => sum + amount, 0);
  const discount = discountOf(
    order.coupon === null ? undefined : await usableCoupon(books, order.coupon),
    subtotal,
  );
  return {
    amount_subtotal: subtotal,
    amount_total: subtotal - discount,
    total_details: { amount_discount: discount, amount_shipping: 0, amount_tax: 0 },
  };
}

/** As shown in `line_items`. */
export async function lineItems(
  books: Books,
  sessionId: string,
): Promise<{ data: object[]; has_more: boolean }> {
  const { order } = await books.hiddenOf('checkout.session', sessionId);
  const lines = order?.lines ?? [];
  const prices = await pricesOf(books, lines);
  const data = linesOf(prices, lines).map(({ amount, quantity, description, price }) => ({
    id: `li_${word()}`,
    object: 'item',
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: price?.currency,
    description,
    price,
    quantity,
  }));
  return { data, has_more: false };
}

export function checkoutRoutes(pages: () => string): Route[] {
  return [
    route('POST', '/v1/checkout/sessions', sessionFields, (books, input) =>
      createSession(books, pages(), input),
    ),
    route(
      'GET',
      '/v1/checkout/sessions',
      z.strictObject({
        ...listing,
        customer: id.optional(),
        payment_intent: id.optional(),
        subscription: id.optional(),
        status: z.enum(['complete', 'expired', 'open']).optional(),
      }),
      async (books, { customer, payment_intent, subscription, status, ...page }) =>
        listOf(
          '/v1/checkout/sessions',
          await books.list('checkout.session', { customer, payment_intent, subscription, status }, page),
        ),
    ),
    route('GET', '/v1/checkout/sessions/:id', z.strictObject(anything), (books, _input, { id }) =>
      books.get('checkout.session', id),
    ),
    route(
      'GET',
      '/v1/checkout/sessions/:id/line_items',
      z.strictObject(listing),
      async (books, _input, { id }) => {
        await books.get('checkout.session', id);
        return listOf(`/v1/checkout/sessions/${id}/line_items`, await lineItems(books, id));
      },
    ),
    route(
      'POST',
      '/v1/checkout/sessions/:id/expire',
      z.strictObject(anything),
      async (books, _input, { id }) => {
        const session = await books.get('checkout.session', id);
        if (session.status !== 'open')
          throw invalid(
            'session',
            `Only Checkout Sessions with a status in ["open"] can be expired. This one is ${session.status}.`,
          );
        await expire(books, session);
        return session;
      },
    ),
  ];
}
