import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cards, makePrice, pageOf, press, successUrl, typedCard } from '../../../../test/payments.ts';
import { startProduct, type Product } from '../../../../test/product.ts';

let product: Product;
let stripe: Stripe;
let monthly: Stripe.Price;
let yearly: Stripe.Price;

beforeAll(async () => {
  product = await startProduct();
  stripe = product.app.deps.payments.stripe;
  monthly = await makePrice(stripe, { recurring: { interval: 'month' } });
  yearly = await makePrice(stripe, { unit_amount: 20_000, recurring: { interval: 'year' } });
});
afterAll(() => product.close());

async function begin(
  given: Partial<Stripe.Checkout.SessionCreateParams> = {},
  options: Stripe.RequestOptions = {},
) {
  return stripe.checkout.sessions.create(
    {
      mode: 'subscription',
      line_items: [{ price: monthly.id, quantity: 1 }],
      success_url: successUrl,
      ...given,
    },
    options,
  );
}

async function subscribed(card: string, given: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  const session = await begin(given);
  const { status } = await press(pageOf(product, session.url), 'pay', typedCard(card));
  expect(status).toBe(303);
  const { subscription } = await stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription'] });
  return subscription as Stripe.Subscription;
}

async function typesSince(last: Stripe.Event | undefined): Promise<string[]> {
  const { data } = await stripe.events.list({ limit: 100, ...(last ? { ending_before: last.id } : {}) });
  return data.map(({ type }) => type).toReversed();
}

const newest = async () => (await stripe.events.list({ limit: 1 })).data[0];

test('a payment is shown, paid by card and reported', async () => {
  const price = await makePrice(stripe, { unit_amount: 1234 });
  const session = await begin({
    mode: 'payment',
    line_items: [{ price: price.id, quantity: 2 }],
    client_reference_id: 'order-1',
    metadata: { order: '1' },
    payment_intent_data: { metadata: { of: 'intent' } },
  });
  expect(session).toMatchObject({
    status: 'open',
    payment_status: 'unpaid',
    amount_total: 2468,
    client_reference_id: 'order-1',
  });
  expect(session.url).toContain('/test-payments/checkout/cs_test_');
  const before = await newest();
  const page = await fetch(pageOf(product, session.url));
  const html = await page.text();
  expect(html).toContain('no money moves');
  expect(html).toContain('$24.68');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("form-action 'self' https://shop.example");
  const { status, location } = await press(pageOf(product, session.url), 'pay', typedCard(cards.pays));
  expect([status, location]).toEqual([303, `https://shop.example/thanks?session=${session.id}`]);
  const paid = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['payment_intent.latest_charge', 'line_items'],
  });
  expect(paid).toMatchObject({ status: 'complete', payment_status: 'paid', url: null, customer: null });
  expect(paid.line_items?.data[0]).toMatchObject({ quantity: 2, amount_total: 2468 });
  expect(paid.payment_intent).toMatchObject({
    status: 'succeeded',
    amount_received: 2468,
    metadata: { of: 'intent' },
    latest_charge: { paid: true, payment_method_details: { card: { brand: 'visa', last4: '4242' } } },
  });
  expect(await typesSince(before)).toEqual([
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.succeeded',
    'checkout.session.completed',
  ]);
  const over = await fetch(pageOf(product, session.url));
  expect(over.status).toBe(200);
  expect(await over.text()).toContain(`href="${location}"`);
});

test('a declined card leaves the checkout open, and no card number is stored', async () => {
  const price = await makePrice(stripe);
  const session = await begin({ mode: 'payment', line_items: [{ price: price.id }] });
  const url = pageOf(product, session.url);
  const declined = await press(url, 'pay', typedCard(cards.declines));
  expect([declined.status, declined.html.includes('was declined')]).toEqual([303, true]);
  expect(declined.html).toContain('value="Ada"');
  expect(await (await fetch(url)).text()).not.toContain('was declined');
  const odd = await press(url, 'pay', typedCard('4111 1111 1111 1111'));
  expect([odd.status, odd.html.includes('Do not enter a real card'), odd.html.includes('4111')]).toEqual([
    303,
    true,
    false,
  ]);
  expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
  expect((await press(url, 'pay', typedCard(cards.pays))).status).toBe(303);
  const { rows } = await product.app.deps.db.owner.query(
    `select 1 from payment_local.object where body::text like '%4242424242%' or hidden::text like '%4242424242%' or body::text like '%400000000000%'`,
  );
  expect(rows).toEqual([]);
});

test('a checkout submitted twenty times is paid once', async () => {
  const price = await makePrice(stripe);
  const session = await begin({ mode: 'payment', line_items: [{ price: price.id }] });
  const customer = (await stripe.charges.list({ limit: 100 })).data.length;
  await Promise.all(
    Array.from({ length: 20 }, () => press(pageOf(product, session.url), 'pay', typedCard(cards.pays))),
  );
  expect((await stripe.charges.list({ limit: 100 })).data.length).toBe(customer + 1);
});

test('a card that requires authentication is confirmed or refused on a separate page', async () => {
  const price = await makePrice(stripe);
  const session = await begin({ mode: 'payment', line_items: [{ price: price.id }] });
  const url = pageOf(product, session.url);
  expect((await press(url, 'pay', typedCard(cards.asks))).location).toBe(new URL(session.url ?? '').pathname);
  expect(await (await fetch(url)).text()).toContain('Your bank asks');
  expect((await press(url, 'refuse')).html).toContain('was declined');
  await press(url, 'pay', typedCard(cards.asks));
  expect((await press(url, 'confirm')).status).toBe(303);
  expect((await stripe.checkout.sessions.retrieve(session.id)).payment_status).toBe('paid');
});

test('malicious names are plain text on the page', async () => {
  const price = await makePrice(stripe, { product_data: { name: '<script>alert(1)</script>' } });
  const session = await begin({ mode: 'payment', line_items: [{ price: price.id }] });
  const html = await (await fetch(pageOf(product, session.url))).text();
  expect(html).toContain('&lt;script&gt;alert(1)');
  expect(html).not.toContain('<script');
  const typed = { ...typedCard(cards.pays), name: 'A\0da' };
  expect((await press(pageOf(product, session.url), 'pay', typed)).status).toBe(400);
  expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
});

test('a subscription starts with an invoice, is prorated on a change, and ends on request', async () => {
  const subscription = await subscribed(cards.pays, { subscription_data: { metadata: { plan: 'PRO' } } });
  expect(subscription).toMatchObject({
    status: 'active',
    metadata: { plan: 'PRO' },
    cancel_at_period_end: false,
  });
  const { data } = await stripe.invoices.list({ subscription: subscription.id });
  expect(data[0]).toMatchObject({ status: 'paid', amount_paid: 2000, billing_reason: 'subscription_create' });
  const item = subscription.items.data[0]?.id as string;
  const changed = await stripe.subscriptions.update(subscription.id, {
    items: [{ id: item, price: yearly.id }],
  });
  expect(changed.items.data[0]?.price.id).toBe(yearly.id);
  const [newer] = (await stripe.invoices.list({ subscription: subscription.id })).data;
  expect(newer).toMatchObject({ billing_reason: 'subscription_update', status: 'paid' });
  expect(newer?.lines.data.map(({ amount }) => amount)).toEqual([-2000, 20_000]);
  const ending = await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
  expect(ending).toMatchObject({ status: 'active', cancel_at_period_end: true });
  expect((await stripe.subscriptions.cancel(subscription.id)).status).toBe('canceled');
  await expect(stripe.subscriptions.cancel(subscription.id)).rejects.toMatchObject({
    code: 'subscription_canceled',
  });
  const all = await stripe.subscriptions.list({ customer: subscription.customer as string, status: 'all' });
  expect(all.data).toHaveLength(1);
  expect((await stripe.subscriptions.list({ customer: subscription.customer as string })).data).toEqual([]);
});

test('a promotion code applies its coupon’s discount', async () => {
  const coupon = await stripe.coupons.create({ percent_off: 25, duration: 'once' });
  const code = await stripe.promotionCodes.create({
    promotion: { type: 'coupon', coupon: coupon.id },
    code: 'SPRING',
    max_redemptions: 1,
  });
  const session = await begin({ allow_promotion_codes: true });
  const url = pageOf(product, session.url);
  expect((await press(url, 'code', { promotion: 'WINTER' })).html).toContain('not valid');
  expect((await press(url, 'code', { promotion: 'spring' })).html).toContain('$15.00');
  await press(url, 'pay', typedCard(cards.pays));
  const { invoice, amount_total: total } = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['invoice'],
  });
  expect([total, (invoice as Stripe.Invoice).amount_paid]).toEqual([1500, 1500]);
  expect((await stripe.promotionCodes.retrieve(code.id)).times_redeemed).toBe(1);
  const next = await begin({ allow_promotion_codes: true });
  expect((await press(pageOf(product, next.url), 'code', { promotion: 'SPRING' })).html).toContain(
    'not valid',
  );
});

test('an organization is paid through its account, and the platform keeps its fee and refunds it', async () => {
  const account = await stripe.accounts.create({ type: 'express' });
  const stripeAccount = { stripeAccount: account.id };
  const price = await makePrice(stripe, { unit_amount: 10_000 }, stripeAccount);
  const wanted: Partial<Stripe.Checkout.SessionCreateParams> = {
    mode: 'payment',
    line_items: [{ price: price.id }],
    payment_intent_data: { application_fee_amount: 500 },
  };
  await expect(begin(wanted, stripeAccount)).rejects.toThrow(/cannot currently make charges/);
  const link = () =>
    stripe.accountLinks.create({
      account: account.id,
      type: 'account_onboarding',
      refresh_url: 'https://shop.example/again',
      return_url: 'https://shop.example/back',
    });
  const first = await link();
  expect((await press(pageOf(product, first.url), 'incomplete')).location).toBe('https://shop.example/back');
  expect(await stripe.accounts.retrieve(account.id)).toMatchObject({
    details_submitted: true,
    charges_enabled: false,
    requirements: { currently_due: ['external_account'] },
  });
  expect((await press(pageOf(product, first.url), 'complete')).html).toContain('has expired');
  await press(pageOf(product, (await link()).url), 'complete');
  expect(await stripe.accounts.retrieve(account.id)).toMatchObject({
    charges_enabled: true,
    payouts_enabled: true,
  });
  const session = await begin(wanted, stripeAccount);
  await press(pageOf(product, session.url), 'pay', typedCard(cards.pays));
  const paid = await stripe.checkout.sessions.retrieve(session.id, {}, stripeAccount);
  expect(paid.payment_status).toBe('paid');
  const [fee] = (await stripe.applicationFees.list()).data;
  expect(fee).toMatchObject({ account: account.id, amount: 500 });
  const payment = { payment_intent: paid.payment_intent as string };
  const refund = await stripe.refunds.create(
    { ...payment, amount: 4000, refund_application_fee: true },
    stripeAccount,
  );
  expect(refund).toMatchObject({ amount: 4000, status: 'succeeded' });
  expect(await stripe.applicationFees.retrieve(fee?.id as string)).toMatchObject({ amount_refunded: 200 });
  await expect(stripe.refunds.create({ ...payment, amount: 7000 }, stripeAccount)).rejects.toThrow(
    /greater than unrefunded/,
  );
});

test('a disputed payment is marked as such, and won or lost by its evidence', async () => {
  const price = await makePrice(stripe);
  const session = await begin({ mode: 'payment', line_items: [{ price: price.id }] });
  await press(pageOf(product, session.url), 'pay', typedCard(cards.isDisputed));
  const { payment_intent: intent } = await stripe.checkout.sessions.retrieve(session.id);
  const [dispute] = (await stripe.disputes.list({ payment_intent: intent as string })).data;
  expect(dispute).toMatchObject({ status: 'needs_response', amount: 2000 });
  const won = await stripe.disputes.update(dispute?.id as string, {
    evidence: { uncategorized_text: 'winning_evidence' },
  });
  expect(won.status).toBe('won');
});

test('on the billing page a customer changes plan, cancels, resumes and changes card, for their own subscription only', async () => {
  const subscription = await subscribed(cards.pays);
  const other = await subscribed(cards.pays);
  const customer = subscription.customer as string;
  const configuration = await stripe.billingPortal.configurations.create({
    features: {
      subscription_cancel: { enabled: true },
      payment_method_update: { enabled: true },
      invoice_history: { enabled: true },
      subscription_update: {
        enabled: true,
        default_allowed_updates: ['price'],
        products: [{ product: yearly.product as string, prices: [yearly.id] }],
      },
    },
  });
  const session = await stripe.billingPortal.sessions.create({
    customer,
    configuration: configuration.id,
    return_url: 'https://shop.example/settings',
  });
  const url = pageOf(product, session.url);
  const html = await (await fetch(url)).text();
  for (const shown of ['Subscriptions', 'visa ending in 4242', 'Invoices', 'https://shop.example/settings'])
    expect(html).toContain(shown);
  const now = () => stripe.subscriptions.retrieve(subscription.id);
  const own = { subscription: subscription.id };
  await press(url, 'cancel', own);
  expect((await now()).cancel_at_period_end).toBe(true);
  await press(url, 'resume', own);
  expect((await now()).cancel_at_period_end).toBe(false);
  expect((await press(url, 'plan', { ...own, price: monthly.id })).html).toContain('not offered');
  await press(url, 'plan', { ...own, price: yearly.id });
  expect((await now()).items.data[0]?.price.id).toBe(yearly.id);
  await press(url, 'card', typedCard('5555 5555 5555 4444'));
  expect(
    (await stripe.paymentMethods.retrieve((await now()).default_payment_method as string)).card?.brand,
  ).toBe('mastercard');
  expect((await press(url, 'cancel', { subscription: other.id })).html).toContain('has ended');
  expect((await stripe.subscriptions.retrieve(other.id)).cancel_at_period_end).toBe(false);
});
