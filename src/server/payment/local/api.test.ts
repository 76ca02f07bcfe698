import Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePrice, successUrl } from '../../../../test/payments.ts';
import { startProduct, type Product } from '../../../../test/product.ts';

let product: Product;
let stripe: Stripe;

beforeAll(async () => {
  product = await startProduct();
  stripe = product.app.deps.payments.stripe;
});
afterAll(() => product.close());

/** The same address with a different key. */
function clientWith(key: string): Stripe {
  return new Stripe(key, {
    host: '127.0.0.1',
    port: Number(stripe.getApiField('port')),
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
  });
}

test('the official library creates, reads, updates, lists and deletes objects', async () => {
  const customer = await stripe.customers.create({ email: 'ada@example.com', metadata: { a: '1', b: '2' } });
  expect(customer).toMatchObject({ object: 'customer', email: 'ada@example.com', livemode: false });
  expect(customer.id).toMatch(/^cus_/);
  const changed = await stripe.customers.update(customer.id, { name: 'Ada', metadata: { a: '', c: '3' } });
  expect(changed).toMatchObject({ name: 'Ada', metadata: { b: '2', c: '3' } });
  const { data } = await stripe.customers.list({ email: 'ada@example.com' });
  expect(data.map(({ id }) => id)).toEqual([customer.id]);
  await stripe.customers.del(customer.id);
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ deleted: true });
  await expect(stripe.customers.update(customer.id, { name: 'x' })).rejects.toMatchObject({
    statusCode: 404,
  });
});

test('products have one-time and recurring prices', async () => {
  const made = await stripe.products.create({
    name: 'Pro',
    default_price_data: { currency: 'EUR', unit_amount: 900, recurring: { interval: 'month' } },
    expand: ['default_price'],
  });
  expect(made.default_price).toMatchObject({
    currency: 'eur',
    recurring: { interval: 'month', interval_count: 1 },
  });
  const once = await stripe.prices.create({ product: made.id, currency: 'eur', unit_amount: 5000 });
  expect(once).toMatchObject({ type: 'one_time', recurring: null, product: made.id });
  expect(String(once.unit_amount_decimal)).toBe('5000');
  const { data } = await stripe.prices.list({ product: made.id, type: 'one_time' });
  expect(data).toHaveLength(1);
  await expect(stripe.products.del(made.id)).rejects.toThrow(/prices/);
});

test('long lists are paginated, newest first, and the library iterates over them', async () => {
  const names = Array.from({ length: 12 }, (_, at) => `walk-${at}`);
  for (const name of names) await stripe.coupons.create({ id: name, percent_off: 10 });
  const first = await stripe.coupons.list({ limit: 5 });
  expect([first.data.length, first.has_more]).toEqual([5, true]);
  const seen: string[] = [];
  for await (const { id } of stripe.coupons.list({ limit: 5 })) seen.push(id);
  expect(seen).toEqual(names.toReversed());
  const back = await stripe.coupons.list({ limit: 5, ending_before: seen[7] as string });
  expect(back.data.map(({ id }) => id)).toEqual(seen.slice(2, 7));
  await expect(stripe.coupons.list({ starting_after: 'nobody' })).rejects.toMatchObject({
    code: 'resource_missing',
  });
});

test('errors have Stripe’s format and wording', async () => {
  const price = await makePrice(stripe);
  const session = { mode: 'payment', success_url: successUrl } as const;
  const cases: [() => Promise<unknown>, object][] = [
    [
      () => stripe.customers.retrieve('cus_nobody'),
      { statusCode: 404, code: 'resource_missing', param: 'id' },
    ],
    [
      () => stripe.prices.create({ unit_amount: 1 } as never),
      { statusCode: 400, code: 'parameter_missing', param: 'currency' },
    ],
    [
      () => stripe.prices.create({ currency: 'usd', unit_amount: 'many' } as never),
      { code: 'parameter_invalid_integer', param: 'unit_amount' },
    ],
    [
      () => stripe.customers.create({ nickname: 'x' } as never),
      { code: 'parameter_unknown', param: 'nickname' },
    ],
    [
      () => stripe.customers.create({ address: { planet: 'x' } } as never),
      { code: 'parameter_unknown', param: 'address[planet]' },
    ],
    [
      () => stripe.checkout.sessions.create({ ...session, line_items: [{ price: 'price_no' }] }),
      { statusCode: 400, code: 'resource_missing', param: 'line_items[0][price]' },
    ],
    [
      () =>
        stripe.checkout.sessions.create({
          ...session,
          success_url: 'javascript:alert(1)',
          line_items: [{ price: price.id }],
        }),
      { code: 'url_invalid', param: 'success_url' },
    ],
    [
      () =>
        stripe.checkout.sessions.create({
          ...session,
          mode: 'subscription',
          line_items: [{ price: price.id }],
        }),
      { statusCode: 400, param: 'line_items' },
    ],
    [() => stripe.customers.retrieve('cus_x', { expand: ['a.b'] }), { statusCode: 404 }],
    [() => stripe.prices.retrieve(price.id, { expand: ['colour'] }), { code: 'property_not_expandable' }],
  ];
  for (const [ask, refusal] of cases) {
    const error = await ask().catch((error: unknown) => error);
    expect(error).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
    expect(error).toMatchObject(refusal);
  }
});

test('a request needs the key, and live keys and other versions are refused', async () => {
  for (const key of ['sk_test_other', 'sk_live_anything', 'rk_live_anything']) {
    await expect(clientWith(key).customers.list()).rejects.toBeInstanceOf(
      Stripe.errors.StripeAuthenticationError,
    );
  }
  await expect(clientWith('sk_live_anything').customers.list()).rejects.toThrow(/Live keys are refused/);
  const url = `http://127.0.0.1:${String(stripe.getApiField('port'))}/v1/customers`;
  expect((await fetch(url)).status).toBe(401);
  await expect(stripe.customers.list({}, { apiVersion: '2019-01-01' })).rejects.toMatchObject({
    code: 'invalid_api_version',
  });
});

test('malicious form data is refused and leaves nothing behind', async () => {
  const url = `http://127.0.0.1:${String(stripe.getApiField('port'))}/v1/customers`;
  const { rows } = await product.app.deps.db.owner.query<{ value: string }>(
    `select value from payment_local.setting where name = 'secret_key'`,
  );
  const headers = {
    authorization: `Bearer ${rows[0]?.value ?? ''}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  expect((await fetch(url, { method: 'POST', headers, body: 'name=Ada' })).status).toBe(200);
  const bodies = [
    '__proto__[polluted]=1',
    'metadata[__proto__][x]=1',
    'constructor[prototype][x]=1',
    'name=%00',
    `a${'[b]'.repeat(50)}=1`,
    'name[=1',
    'email=a&email[b]=c',
  ];
  for (const body of bodies) {
    const response = await fetch(url, { method: 'POST', headers, body });
    expect([body, response.status]).toEqual([body, 400]);
  }
  expect((await fetch(`${url}/%00`, { headers })).status).toBe(400);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('a request repeated under its key has one effect and one answer, even concurrently', async () => {
  const idempotencyKey = 'once-1';
  const made = await Promise.all(
    Array.from({ length: 20 }, () =>
      stripe.customers.create({ email: 'once@example.com' }, { idempotencyKey }),
    ),
  );
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  expect((await stripe.customers.list({ email: 'once@example.com' })).data).toHaveLength(1);
  await expect(
    stripe.customers.create({ email: 'other@example.com' }, { idempotencyKey }),
  ).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  const refused = { idempotencyKey: 'once-2' };
  await expect(stripe.refunds.create({ charge: 'ch_no' }, refused)).rejects.toMatchObject({
    code: 'resource_missing',
  });
  await expect(stripe.refunds.create({ charge: 'ch_no' }, refused)).rejects.toMatchObject({
    code: 'resource_missing',
  });
});

test('connected accounts have separate books', async () => {
  const [one, other] = await Promise.all([
    stripe.accounts.create({ type: 'express', country: 'DE', email: 'shop@example.com' }),
    stripe.accounts.create({ type: 'express' }),
  ]);
  expect(one).toMatchObject({ charges_enabled: false, details_submitted: false, country: 'DE' });
  const theirs = await stripe.customers.create({ name: 'Theirs' }, { stripeAccount: one.id });
  await expect(stripe.customers.retrieve(theirs.id)).rejects.toMatchObject({ statusCode: 404 });
  await expect(stripe.customers.retrieve(theirs.id, {}, { stripeAccount: other.id })).rejects.toMatchObject({
    statusCode: 404,
  });
  await expect(stripe.customers.list({}, { stripeAccount: 'acct_nobody' })).rejects.toBeInstanceOf(
    Stripe.errors.StripePermissionError,
  );
});

test('a customer’s meter events add up, each report counted once', async () => {
  const customer = await stripe.customers.create({});
  const meter = await stripe.billing.meters.create({
    display_name: 'Answers',
    event_name: 'answers',
    default_aggregation: { formula: 'sum' },
  });
  const report = {
    event_name: 'answers',
    payload: { stripe_customer_id: customer.id, value: '7' },
    identifier: 'r1',
  };
  await stripe.billing.meterEvents.create(report);
  await expect(stripe.billing.meterEvents.create(report)).rejects.toThrow(/already exists/);
  await stripe.billing.meterEvents.create({ ...report, identifier: 'r2' });
  const now = Math.floor(Date.now() / 1000);
  const { data } = await stripe.billing.meters.listEventSummaries(meter.id, {
    customer: customer.id,
    start_time: now - 3600,
    end_time: now + 3600,
  });
  expect(data[0]).toMatchObject({ aggregated_value: 14 });
});
