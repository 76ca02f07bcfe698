import { createHmac } from 'node:crypto';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  cards,
  eventually,
  makePrice,
  pageOf,
  press,
  successUrl,
  typedCard,
} from '../../../test/payments.ts';
import { startProduct, type Product } from '../../../test/product.ts';
import { paymentEvent } from '../db/schema/index.ts';
import { OWN_ENDPOINT } from './local/books.ts';
import type { Payments } from './payments.ts';

let product: Product;
let payments: Payments;
let stripe: Stripe;
const servers: Server[] = [];
/** Recordings to stop when the test ends. */
const written: (() => void)[] = [];

beforeAll(async () => {
  product = await startProduct();
  payments = product.app.deps.payments;
  stripe = payments.stripe;
  await product.app.deps.db.owner.query('create table seen (id text, state text)');
  await product.app.deps.db.owner.query('grant all on seen to parley_app');
});
afterAll(async () => {
  for (const server of servers) server.close();
  await product.close();
});
afterEach(async () => {
  for (const stop of written.splice(0)) stop();
  await product.app.deps.db.owner.query('delete from seen');
});

const secret = () => payments.webhookSecrets[0] as string;
const now = () => Math.floor(Date.now() / 1000);

function signed(payload: string, { at = now(), by = secret() }: { at?: number; by?: string } = {}): string {
  return `t=${at},v1=${createHmac('sha256', by).update(`${at}.${payload}`).digest('hex')}`;
}

async function post(payload: string | Buffer, signature?: string | string[]): Promise<number> {
  const headers: [string, string][] = [
    ['host', 'localhost'],
    ['content-type', 'application/json'],
    ['content-length', String(Buffer.byteLength(payload))],
  ];
  for (const each of [signature ?? []].flat()) headers.push(['stripe-signature', each]);
  return (await deliverRaw(payload, headers)).status;
}

/** Raw, since `fetch` would join headers of the same name. */
function deliverRaw(payload: string | Buffer, headers: [string, string][]): Promise<{ status: number }> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${product.url}/v1/billing/stripe/webhook`,
      { method: 'POST', headers: headers.flat() },
      (response) => {
        response.resume().on('end', () => resolve({ status: response.statusCode ?? 0 }));
      },
    );
    asked.on('error', reject).end(payload);
  });
}

/** An event like Stripe's, for an existing object. */
function eventOf(type: string, object: object, more: object = {}): string {
  const event = {
    id: `evt_${Math.random()}`,
    object: 'event',
    api_version: Stripe.API_VERSION,
    created: now(),
    livemode: false,
    type,
    data: { object },
    ...more,
  };
  return JSON.stringify(event, null, 2);
}

/** Records what the effect received, in the effect's transaction. */
function writeDown(type: Stripe.Event['type']): void {
  const stop = payments.events.on(type, async (tx, { object }) => {
    const state =
      object && 'name' in object
        ? (object.name ?? '')
        : object && 'status' in object
          ? String(object.status)
          : 'gone';
    await tx.$client.query('insert into seen values ($1, $2)', [
      object && 'id' in object ? object.id : '',
      state,
    ]);
  });
  written.push(stop);
}

async function seen(): Promise<string[]> {
  const { rows } = await product.app.deps.db.owner.query<{ state: string }>('select state from seen');
  return rows.map(({ state }) => state);
}

test('only an event signed by the provider, just now and over these bytes, is accepted', async () => {
  writeDown('customer.updated');
  const customer = await stripe.customers.create({ name: 'Signed' });
  const payload = eventOf('customer.updated', customer);
  const right = signed(payload);
  expect(await post(payload)).toBe(400);
  expect(await post(payload, '')).toBe(400);
  expect(await post(payload, 'v1=abc')).toBe(400);
  expect(await post(payload, `${right.slice(0, -1)}${right.endsWith('0') ? '1' : '0'}`)).toBe(400);
  expect(await post(JSON.stringify(JSON.parse(payload)), right)).toBe(400);
  expect(await post(`${payload} `, right)).toBe(400);
  expect(await post(payload, signed(payload, { at: now() - 310 }))).toBe(400);
  expect(await post(payload, signed(payload, { at: now() + 310 }))).toBe(400);
  expect(await post(payload, signed(payload, { by: 'whsec_of_another_endpoint' }))).toBe(400);
  expect(await post(payload, [right, right])).toBe(400);
  expect(await post('', right)).toBe(400);
  expect(await post('not json', signed('not json'))).toBe(400);
  expect(await seen()).toEqual([]);
  expect(await post(payload, right)).toBe(200);
  expect(await seen()).toEqual(['Signed']);
});

test('one event delivered a hundred times concurrently has one effect', async () => {
  writeDown('customer.updated');
  const customer = await stripe.customers.create({ name: 'Once' });
  const payload = eventOf('customer.updated', customer);
  const statuses = await Promise.all(Array.from({ length: 100 }, () => post(payload, signed(payload))));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(await seen()).toEqual(['Once']);
});

test('an effect sees the current object, whatever the order of events', async () => {
  writeDown('customer.created');
  writeDown('customer.deleted');
  const customer = await stripe.customers.create({ name: 'Old' });
  await eventually(async () => (await seen()).length > 0);
  await stripe.customers.update(customer.id, { name: 'New' });
  const late = eventOf('customer.created', customer);
  expect(await post(late, signed(late))).toBe(200);
  expect(await seen()).toEqual(['Old', 'New']);
  const forged = eventOf('customer.created', { ...customer, id: 'cus_nobody', name: 'Never' });
  expect(await post(forged, signed(forged))).toBe(200);
  expect((await seen()).at(-1)).toBe('gone');
});

test('an event that is unknown, of the other mode or of a foreign account is accepted and ignored', async () => {
  writeDown('customer.updated');
  // Events caused by earlier tests may still arrive.
  const told = async () => (await seen()).filter((name) => name !== 'New');
  const customer = await stripe.customers.create({ name: 'Ignored' });
  const account = await stripe.accounts.create({});
  const ignored = [
    eventOf('customer.updated', customer, { livemode: true }),
    eventOf('customer.updated', customer, { account: account.id }),
    eventOf('something.unheard_of', customer),
    eventOf('something.large', { ...customer, description: 'x'.repeat(1_000_000) }),
  ];
  for (const payload of ignored) expect(await post(payload, signed(payload))).toBe(200);
  expect(await told()).toEqual([]);
  expect(await post('x'.repeat(3_000_000), signed('x'))).toBe(413);
  payments.events.knowAccounts(async (id) => id === account.id);
  const theirs = await stripe.customers.create({ name: 'Theirs' }, { stripeAccount: account.id });
  const known = eventOf('customer.updated', theirs, { account: account.id });
  expect(await post(known, signed(known))).toBe(200);
  expect(await told()).toEqual(['Theirs']);
});

test('a failing effect leaves nothing behind, and the event is redelivered until it succeeds', async () => {
  let failures = 0;
  payments.events.on('product.created', async (tx, { event }) => {
    await tx.$client.query('insert into seen values ($1, $2)', [event.id, 'product']);
    failures += 1;
    if (failures < 2) throw new Error('not yet');
  });
  await stripe.products.create({ name: 'Tried again' });
  await eventually(async () => failures === 2);
  await eventually(async () => (await seen()).length === 1);
  const { data } = await stripe.events.list({ type: 'product.created', limit: 1 });
  await eventually(async () => (await stripe.events.retrieve(data[0]?.id as string)).pending_webhooks === 0);
});

test('a paid checkout takes effect through the stand-in’s own delivery', async () => {
  writeDown('checkout.session.completed');
  const price = await makePrice(stripe);
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ price: price.id }],
    success_url: successUrl,
  });
  await press(pageOf(product, session.url), 'pay', typedCard(cards.pays));
  await eventually(async () => (await seen()).includes('complete'));
  const kept = await product.app.deps.db.unscoped.select().from(paymentEvent);
  expect(kept.filter(({ type }) => type === 'checkout.session.completed')).toHaveLength(1);
});

test('delivered twice and in reverse order, each event has one effect', async () => {
  writeDown('customer.created');
  await stripe.webhookEndpoints.update(OWN_ENDPOINT, { metadata: { deliver: 'twice, reversed' } });
  const made = await Promise.all(['a', 'b', 'c', 'd'].map((name) => stripe.customers.create({ name })));
  const { data } = await stripe.events.list({ type: 'customer.created', limit: made.length });
  for (const { id } of data)
    await eventually(async () => (await stripe.events.retrieve(id)).pending_webhooks === 0);
  expect((await seen()).toSorted()).toEqual(['a', 'b', 'c', 'd']);
  await stripe.webhookEndpoints.update(OWN_ENDPOINT, { metadata: '' });
});

test('an external endpoint gets signed events, again after a failure, and twice and reversed on request', async () => {
  const got: { id: string; type: string }[] = [];
  const answers = [500, 302];
  let endpointSecret = '';
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const status = answers.shift() ?? 200;
    if (status === 200) {
      const event = Stripe.webhooks.constructEvent(
        Buffer.concat(chunks),
        request.headers['stripe-signature'] ?? '',
        endpointSecret,
      );
      got.push({ id: event.id, type: event.type });
    }
    response.writeHead(status).end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = await stripe.webhookEndpoints.create({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    enabled_events: ['coupon.created'],
  });
  endpointSecret = endpoint.secret ?? '';
  expect((await stripe.webhookEndpoints.retrieve(endpoint.id)).secret).toBeUndefined();
  await stripe.coupons.create({ id: 'first', percent_off: 5 });
  await eventually(async () => got.length === 1, 15);
  await stripe.webhookEndpoints.update(endpoint.id, { metadata: { deliver: 'twice, reversed' } });
  await stripe.coupons.create({ id: 'second', percent_off: 5 });
  await eventually(async () => got.length === 3);
  expect(got[1]).toEqual(got[2]);
  await stripe.webhookEndpoints.del(endpoint.id);
});
