import { createHmac } from 'node:crypto';
import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OWN_ENDPOINT } from '../../payment/local/books.ts';
import { cards, eventually, pageOf, press, typedCard } from '../../../../test/payments.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { buy, connectAccount, forGood, monthly, pack, sell, settled } from '../../../../test/selling.ts';
import { endSubscriptions } from './end-subscriptions.ts';

const DAY = 86_400;

let product: Product;
let stripe: Stripe;
let ada: TestClient;
let organizationId: string;
let account: string;
beforeAll(async () => {
  product = await startProduct();
  stripe = product.app.deps.payments.stripe;
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  account = await connectAccount(product, ada, organizationId);
});
afterAll(() => product.close());

const at = () => ({ stripeAccount: account });
const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await product.app.deps.db.owner.query<Row>(sql, values)).rows;

let people = 0;

/** An agent that sells this, and a person who may buy it. */
async function shop(config: Parameters<typeof sell>[2]) {
  const { chatbot } = await ada.chatbot.create({ organizationId, name: 'Helper' });
  const key = { organizationId, agentId: chatbot.id };
  const offered = await sell(ada, key, config);
  people += 1;
  const person = product.as(`person ${people}`, 'guest');
  const standing = () => person.purchase.standing({ chatbotId: chatbot.id });
  const held = async () => (await standing()).entitlements[0];
  return { ...key, id: offered.id, person, standing, held };
}

const ledgerOf = (agentId: string) =>
  query<{ account: string; amount: number; reason: string }>(
    `select l.account, l.amount, l.reason from ledger_entry l join entitlement e on e.id = l.entitlement_id
      where e.agent_id = $1 order by l.id`,
    [agentId],
  );

/** Delivers an event as the provider does. */
async function deliver(event: object): Promise<number> {
  const body = JSON.stringify(event);
  const now = Math.floor(Date.now() / 1000);
  const secret = product.app.deps.payments.webhookSecrets[0] ?? '';
  const signature = createHmac('sha256', secret).update(`${now}.${body}`).digest('hex');
  const response = await fetch(`${product.url}/v1/billing/stripe/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${now},v1=${signature}` },
    body,
  });
  return response.status;
}

/** All events about a purchase, oldest first. */
async function eventsOf(purchaseId: string): Promise<Stripe.Event[]> {
  const rows = await query<{ body: Stripe.Event }>(
    `select body from payment_local.object where kind = 'event' and account = $1 and body::text like $2 order by position`,
    [account, `%${purchaseId}%`],
  );
  return rows.map(({ body }) => body);
}

let clock: string | undefined;
async function advance(days: number): Promise<void> {
  const { testClocks } = stripe.testHelpers;
  const frozen_time = Math.floor(Date.now() / 1000);
  clock ??= (await testClocks.create({ frozen_time })).id;
  const { frozen_time: now } = await testClocks.retrieve(clock);
  await testClocks.advance(clock, { frozen_time: now + days * DAY });
}

test('events twice, in reverse, a hundred at once and under new ids leave the same ledger', async () => {
  await stripe.webhookEndpoints.update(OWN_ENDPOINT, { metadata: { deliver: 'twice, reversed' } });
  const { id, agentId, person } = await shop(monthly(30));
  const bought = await buy(product, person, id);
  await stripe.webhookEndpoints.update(OWN_ENDPOINT, { metadata: { deliver: '' } });
  const granted = [
    { account: 'issued', amount: -30, reason: 'grant' },
    { account: 'left', amount: 30, reason: 'grant' },
  ];
  expect(await ledgerOf(agentId)).toEqual(granted);
  const events = await eventsOf(bought.id);
  expect(events.length).toBeGreaterThan(2);
  const completed = events.find(({ type }) => type === 'checkout.session.completed');
  const again = { ...completed, id: 'evt_again' };
  const statuses = await Promise.all(Array.from({ length: 100 }, () => deliver(again)));
  expect(new Set(statuses)).toEqual(new Set([200]));
  for (const [index, event] of events.toReversed().entries())
    expect(await deliver({ ...event, id: `evt_reversed_${index}` })).toBe(200);
  expect(await ledgerOf(agentId)).toEqual(granted);

  await ada.purchase.refund({ id: bought.id });
  await eventually(async () => (await person.purchase.get({ id: bought.id })).purchase.state === 'refunded');
  const after = await ledgerOf(agentId);
  // Events from before the refund are delivered again; the result reflects the current state.
  for (const [index, event] of events.entries()) await deliver({ ...event, id: `evt_late_${index}` });
  expect(await ledgerOf(agentId)).toEqual(after);
  const { data } = await stripe.subscriptions.list({ status: 'canceled' }, at());
  expect(data.map(({ metadata }) => metadata['purchase'])).toContain(bought.id);
});

test('a payment that differs from the agreement is ignored: amount, currency, account, session, mode', async () => {
  const { id, person, standing } = await shop(forGood);
  const { purchase, url } = await person.purchase.begin({ id });
  const [real] = await query<{ session: string }>(
    'select session_id as session from purchase where id = $1',
    [purchase.id],
  );
  const cheap = await stripe.prices.create(
    { currency: 'usd', unit_amount: 50, product_data: { name: 'Cheap' } },
    at(),
  );
  const fake = await stripe.checkout.sessions.create(
    {
      mode: 'payment',
      line_items: [{ price: cheap.id, quantity: 1 }],
      client_reference_id: purchase.id,
      metadata: { purchase: purchase.id },
      success_url: 'https://shop.example/',
    },
    at(),
  );
  await press(pageOf(product, fake.url), 'pay', typedCard(cards.pays));
  await eventually(async () => {
    const told = await eventsOf(purchase.id);
    const ids = told.filter(({ type }) => type === 'checkout.session.completed').map((event) => event.id);
    return (
      ids.length > 0 && (await query('select 1 from payment_event where id = any($1)', [ids])).length > 0
    );
  });
  expect((await person.purchase.get({ id: purchase.id })).purchase.state).toBe('pending');

  const ofSession = async () =>
    (await eventsOf(purchase.id)).filter(
      ({ type, data }) =>
        type === 'checkout.session.completed' && 'id' in data.object && data.object.id === real?.session,
    );
  // The session is right, but the purchase was for something else.
  for (const change of [
    `terms = jsonb_set(terms, '{amount}', '2900')`,
    `terms = jsonb_set(terms, '{currency}', '"eur"')`,
    `price_id = 'price_other'`,
  ]) {
    const [before] = await query<{ terms: object; price_id: string }>(
      'select terms, price_id from purchase where id = $1',
      [purchase.id],
    );
    await query(`update purchase set ${change} where id = $1`, [purchase.id]);
    if (change === `terms = jsonb_set(terms, '{amount}', '2900')`) {
      await press(pageOf(product, url), 'pay', typedCard(cards.pays));
      // The provider's own event arrives while the purchase still doesn't match.
      await eventually(async () => {
        const ids = (await ofSession()).map((event) => event.id);
        return (await query('select 1 from payment_event where id = any($1)', [ids])).length > 0;
      });
    }
    const [completed] = await ofSession();
    expect(completed).toBeDefined();
    const name = `evt_${change.length}`;
    expect(await deliver({ ...completed, id: name })).toBe(200);
    expect(await deliver({ ...completed, id: `${name}_live`, livemode: true })).toBe(200);
    expect(await deliver({ ...completed, id: `${name}_foreign`, account: 'acct_foreign' })).toBe(200);
    expect((await standing()).mayChat).toBe(false);
    await query('update purchase set terms = $2, price_id = $3 where id = $1', [
      purchase.id,
      JSON.stringify(before?.terms),
      before?.price_id,
    ]);
  }
  const [completed] = await ofSession();
  await deliver({ ...completed, id: 'evt_right' });
  expect((await standing()).mayChat).toBe(true);
});

test('the success page alone grants nothing', async () => {
  const { id, person, standing } = await shop(forGood);
  const { purchase } = await person.purchase.begin({ id });
  const response = await fetch(`${product.url}/checkout/confirmation?purchase=${purchase.id}`);
  expect(response.status).toBeLessThan(500);
  expect((await person.purchase.get({ id: purchase.id })).purchase.state).toBe('pending');
  expect((await standing()).mayChat).toBe(false);
});

test('a disputed payment closes the chat at once, and a won dispute reopens it as it was', async () => {
  const { id, person, standing, held } = await shop(pack(7));
  const { purchase, url } = await person.purchase.begin({ id });
  await press(pageOf(product, url), 'pay', typedCard(cards.isDisputed));
  expect((await settled(person, purchase.id)).state).toBe('disputed');
  expect((await standing()).mayChat).toBe(false);
  const [dispute] = (await stripe.disputes.list({}, at())).data;
  await stripe.disputes.update(
    dispute?.id ?? '',
    { evidence: { uncategorized_text: 'winning_evidence' } },
    at(),
  );
  await eventually(async () => (await standing()).mayChat);
  expect(await held()).toMatchObject({ state: 'active', creditsLeft: 7 });
});

test('credits renew each period, replacing those left', async () => {
  const { id, agentId, person, held } = await shop(monthly(10));
  await buy(product, person, id);
  await product.app.deps.db.in({ organizationId }, (tx) =>
    tx.$client.query(
      `select move_credits(id, organization_id, 'left', 'spent', 4, 'spend', null) from entitlement where agent_id = $1`,
      [agentId],
    ),
  );
  expect(await held()).toMatchObject({ creditsLeft: 6, renews: true });
  const before = (await held())?.endsAt ?? '';
  await advance(31);
  await eventually(async () => (await held())?.creditsLeft === 10);
  expect(Date.parse((await held())?.endsAt ?? '')).toBeGreaterThan(Date.parse(before));
  const sums = await query<{ account: string; amount: number }>(
    `select l.account, sum(l.amount)::int as amount from ledger_entry l join entitlement e on e.id = l.entitlement_id
      where e.agent_id = $1 group by 1 order by 1`,
    [agentId],
  );
  expect(sums).toEqual([
    { account: 'expired', amount: 6 },
    { account: 'issued', amount: -20 },
    { account: 'left', amount: 10 },
    { account: 'spent', amount: 4 },
  ]);
  const { totals, days, purchases } = await ada.earning.get({ agentId, period: '90d' });
  expect(totals).toMatchObject([{ currency: 'usd', paid: 1800, refunded: 0, fee: 0 }]);
  expect(days.reduce((sum, { paid }) => sum + paid, 0)).toBe(1800);
  expect(purchases).toMatchObject([{ state: 'paid', buyer: 'Guest', amount: 900, paid: 1800, refunded: 0 }]);

  // The total equals the sum over days: a day is counted whole or not at all.
  const paidAt = (offset: string) =>
    query(
      `update payment set paid_at = date_trunc('day', now(), 'UTC') - interval '29 days' + ${offset} where agent_id = $1`,
      [agentId],
    );
  const earned = async () => {
    const shown = await ada.earning.get({ agentId, period: '30d' });
    return [shown.totals[0]?.paid, shown.days.reduce((sum, { paid }) => sum + paid, 0)];
  };
  await paidAt(`interval '1 second'`);
  expect(await earned()).toEqual([1800, 1800]);
  await paidAt(`interval '-1 day'`);
  expect(await earned()).toEqual([0, 0]);
});

test('a failed renewal leaves the chat open while it is retried, and then closes it', async () => {
  const { id, person, held, standing } = await shop(monthly(10));
  await buy(product, person, id, cards.failsLater);
  await advance(32);
  await eventually(async () => (await held())?.state === 'past-due');
  expect((await standing()).mayChat).toBe(true);
  await advance(8);
  await advance(10);
  await eventually(async () => (await held())?.state === 'ended');
  expect((await standing()).mayChat).toBe(false);
});

test('a subscriber to a deleted agent does not keep paying', async () => {
  const first = await shop(monthly(10));
  const kept = await buy(product, first.person, first.id);
  const second = await shop(monthly(10));
  const gone = await buy(product, second.person, second.id);
  const beta = (await ada.organization.create({ name: 'Beta' })).organization.id;
  await expect(
    ada.agentKeeping.transfer({
      id: first.agentId,
      organizationId,
      toOrganizationId: beta,
      name: 'Helper',
    }),
  ).rejects.toMatchObject({ status: 409 });
  await ada.chatbot.remove({ id: first.agentId, organizationId });
  await ada.chatbot.remove({ id: second.agentId, organizationId, permanently: true });
  const find = async (purchaseId: string) =>
    (await stripe.subscriptions.list({ status: 'all', limit: 100 }, at())).data.find(
      ({ metadata }) => metadata['purchase'] === purchaseId,
    );
  await eventually(async () => {
    await endSubscriptions(product.app.deps);
    return (await find(gone.id))?.status === 'canceled';
  });
  expect(await find(kept.id)).toMatchObject({ status: 'active', cancel_at_period_end: true });
  expect(await query('select 1 from ended_subscription')).toEqual([]);
});

test('a customer deleted at the provider causes no server error', async () => {
  const { id, person, standing } = await shop(monthly(10));
  const bought = await buy(product, person, id);
  const [row] = await query<{ customer: string }>(
    'select customer_id as customer from purchase where id = $1',
    [bought.id],
  );
  await stripe.customers.del(row?.customer ?? '', {}, at());
  await eventually(async () => !(await standing()).mayChat);
  await expect(person.purchase.portal({ id: bought.id })).rejects.toMatchObject({ status: 404 });
});
