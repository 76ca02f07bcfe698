import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cards, makePrice, pageOf, press, successUrl, typedCard } from '../../../../test/payments.ts';
import { startProduct, type Product } from '../../../../test/product.ts';
import { addInterval } from './periods.ts';

const DAY = 86_400;

let product: Product;
let stripe: Stripe;
let price: Stripe.Price;
let clock: Stripe.TestHelpers.TestClock;

beforeAll(async () => {
  product = await startProduct();
  stripe = product.app.deps.payments.stripe;
  price = await makePrice(stripe, { recurring: { interval: 'month' } });
  clock = await stripe.testHelpers.testClocks.create({ frozen_time: Math.floor(Date.now() / 1000) });
});
afterAll(() => product.close());

async function advance(days: number): Promise<void> {
  const { frozen_time: now } = await stripe.testHelpers.testClocks.retrieve(clock.id);
  clock = await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: now + days * DAY });
}

async function subscribe(
  card: string,
  given: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Promise<string> {
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: successUrl,
    ...given,
  });
  await press(pageOf(product, session.url), 'pay', typedCard(card));
  return (await stripe.checkout.sessions.retrieve(session.id)).subscription as string;
}

const statusOf = async (id: string) => (await stripe.subscriptions.retrieve(id)).status;
const invoicesOf = async (id: string) => (await stripe.invoices.list({ subscription: id })).data;

test('renewals, trial ends, failed renewals and expiries happen over time, each reported', async () => {
  const paying = await subscribe(cards.pays);
  const failing = await subscribe(cards.failsLater);
  const trying = await subscribe(cards.pays, { subscription_data: { trial_period_days: 14 } });
  const leaving = await subscribe(cards.pays);
  await stripe.subscriptions.update(leaving, { cancel_at_period_end: true });
  const open = await stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: price.id }],
    success_url: successUrl,
  });
  expect(await statusOf(trying)).toBe('trialing');
  expect((await invoicesOf(trying)).map(({ total }) => total)).toEqual([0]);

  await advance(15);
  expect(await statusOf(trying)).toBe('active');
  expect((await invoicesOf(trying)).map(({ total }) => total)).toEqual([2000, 0]);
  expect((await stripe.checkout.sessions.retrieve(open.id)).status).toBe('expired');
  expect((await fetch(pageOf(product, open.url))).status).toBe(410);

  await advance(17);
  expect(await statusOf(paying)).toBe('active');
  expect((await invoicesOf(paying)).map(({ billing_reason: reason }) => reason)).toEqual([
    'subscription_cycle',
    'subscription_create',
  ]);
  expect(await statusOf(leaving)).toBe('canceled');
  expect(await statusOf(failing)).toBe('past_due');
  const [unpaid] = await invoicesOf(failing);
  expect(unpaid).toMatchObject({ status: 'open', attempt_count: 1 });
  await expect(stripe.invoices.pay(unpaid?.id as string)).rejects.toMatchObject({
    type: 'StripeCardError',
    code: 'card_declined',
  });

  const { data: told } = await stripe.events.list({ limit: 100 });
  const types = new Set<string>(told.map(({ type }) => type));
  for (const type of [
    'customer.subscription.trial_will_end',
    'checkout.session.expired',
    'invoice.payment_failed',
    'invoice.paid',
    'customer.subscription.updated',
    'customer.subscription.deleted',
  ])
    expect(types).toContain(type);

  await advance(30);
  expect(await statusOf(failing)).toBe('canceled');
});

test('usage is billed with the next invoice', async () => {
  const meter = await stripe.billing.meters.create({
    display_name: 'Used',
    event_name: 'used',
    default_aggregation: { formula: 'sum' },
  });
  const metered = await makePrice(stripe, {
    unit_amount: 3,
    recurring: { interval: 'month', usage_type: 'metered', meter: meter.id },
  });
  const id = await subscribe(cards.pays, {
    line_items: [{ price: price.id, quantity: 1 }, { price: metered.id }],
  });
  const { customer } = await stripe.subscriptions.retrieve(id);
  await stripe.billing.meterEvents.create({
    event_name: 'used',
    payload: { stripe_customer_id: customer as string, value: '100' },
  });
  await advance(32);
  expect((await invoicesOf(id)).map(({ total }) => total)).toEqual([2300, 2000]);
});

test('a month later is the same day, or the last day of a shorter month', () => {
  const day = (text: string) => Date.parse(`${text}T10:00:00Z`) / 1000;
  const january = day('2027-01-31');
  expect(addInterval(january, 'month', 1, january)).toBe(day('2027-02-28'));
  expect(addInterval(day('2027-02-28'), 'month', 1, january)).toBe(day('2027-03-31'));
  expect(addInterval(day('2028-02-29'), 'year', 1, day('2028-02-29'))).toBe(day('2029-02-28'));
});
