import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  cards,
  customerOf,
  eventually,
  pageOf,
  passDays,
  press,
  typedCard,
} from '../../../../test/payments.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { plans, type PlanType } from '../../../contract/plans.ts';
import { OWN_ENDPOINT } from '../../payment/local/books.ts';
import { reconcile } from './subscription.ts';

const DAY_SECONDS = 86_400;

let product: Product;
let stripe: Stripe;
let ada: TestClient;

beforeAll(async () => {
  product = await startProduct({ billing: { mode: 'on', plans } });
  stripe = product.app.deps.payments.stripe;
  ada = product.as('ada');
});
afterAll(() => product.close());

const query = (sql: string, values: unknown[] = []) => product.app.deps.db.owner.query(sql, values);

async function makeOrganization(): Promise<string> {
  return (await ada.organization.create({ name: 'Acme' })).organization.id;
}

const planOf = async (organizationId: string) =>
  (await ada.billing.getUsage({ organizationId })).usage.planType;
const subscriptionOf = async (organizationId: string) =>
  (await ada.billing.getSubscription({ organizationId })).subscription;

async function becomes(organizationId: string, planType: PlanType): Promise<void> {
  await eventually(async () => (await planOf(organizationId)) === planType);
}

async function subscribe(planType: PlanType, card = cards.pays): Promise<string> {
  const organizationId = await makeOrganization();
  const { url } = await ada.billing.choosePlan({ organizationId, planType });
  const paid = await press(pageOf(product, url), 'pay', typedCard(card));
  expect(paid.location).toContain(`/checkout/confirmation?organization=${organizationId}`);
  await becomes(organizationId, planType);
  return organizationId;
}

async function paidBy(organizationId: string): Promise<Stripe.Subscription> {
  const { data } = await stripe.subscriptions.list({ customer: await customerOf(product, organizationId) });
  return data[0] as Stripe.Subscription;
}

/** All events have arrived, and their effects are written. */
async function allArrived(): Promise<void> {
  await eventually(async () =>
    (await stripe.events.list({ limit: 100 })).data.every((event) => event.pending_webhooks === 0),
  );
}

/** Events from now on are lost. */
async function loseEvents(): Promise<void> {
  await allArrived();
  await stripe.webhookEndpoints.update(OWN_ENDPOINT, { disabled: true });
}

/** As if it hadn't been checked for two days. */
async function reconcileNow(organizationId: string): Promise<void> {
  await query(`update plan_subscription set read_at = now() - interval '2 days' where organization_id = $1`, [
    organizationId,
  ]);
  await reconcile(product.app.deps, () => product.url);
}

test('neither the page after a checkout nor anything a browser sends upgrades a plan', async () => {
  const organizationId = await makeOrganization();
  const { url } = await ada.billing.choosePlan({ organizationId, planType: 'STARTUP' });
  expect(url).toContain('/test-payments/checkout/');
  const { idToken } = await product.sessionOf('ada');
  const page = `${product.url}/checkout/confirmation?organization=${organizationId}&session_id=cs_test_forged`;
  await fetch(page, { headers: { authorization: `Bearer ${idToken}` } });
  for (const more of [{ priceId: 'price_1' }, { amount: 0 }, { status: 'active' }]) {
    const response = await fetch(`${product.url}/v1/billing`, {
      method: 'POST',
      headers: { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ organizationId, planType: 'STARTUP', ...more }),
    });
    expect(response.status).toBe(400);
  }
  const forged = await fetch(`${product.url}/v1/billing/stripe/webhook`, { method: 'POST', body: '{}' });
  expect(forged.status).toBe(400);
  expect(await planOf(organizationId)).toBe('FREE_PLAN');
});

test('a declined card changes nothing, and a paying customer gets the plan at the server’s price', async () => {
  const organizationId = await makeOrganization();
  const { url } = await ada.billing.choosePlan({ organizationId, planType: 'PRO' });
  await press(pageOf(product, url), 'pay', typedCard(cards.declines));
  expect(await subscriptionOf(organizationId)).toMatchObject({ planType: 'FREE_PLAN', state: 'none' });
  await press(pageOf(product, url), 'pay', typedCard(cards.pays));
  await becomes(organizationId, 'PRO');
  const subscription = await subscriptionOf(organizationId);
  expect(subscription).toMatchObject({ state: 'active', isTestMode: true, endsAtPeriodEnd: false });
  expect(subscription.invoices).toMatchObject([{ amount: 9900, currency: 'usd', state: 'paid' }]);
});

test('fifty clicks make one checkout page, and choosing another plan expires it', async () => {
  const organizationId = await makeOrganization();
  const pressed = await Promise.all(
    Array.from({ length: 50 }, () => ada.billing.choosePlan({ organizationId, planType: 'HOBBY' })),
  );
  expect(new Set(pressed.map(({ url }) => url)).size).toBe(1);
  const customer = await customerOf(product, organizationId);
  expect((await stripe.checkout.sessions.list({ customer })).data).toHaveLength(1);
  await ada.billing.choosePlan({ organizationId, planType: 'PRO' });
  const { data } = await stripe.checkout.sessions.list({ customer });
  expect(data.map(({ status }) => String(status)).toSorted()).toEqual(['expired', 'open']);
  const { data: prices } = await stripe.prices.list({ limit: 100 });
  const keys = prices.map(({ lookup_key: key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
});

test('a larger plan begins at once, a smaller one or none at the end of the period', async () => {
  const organizationId = await subscribe('HOBBY');
  const change = (planType: PlanType) => ada.billing.choosePlan({ organizationId, planType });
  expect(await change('STARTUP')).toEqual({ url: null });
  await becomes(organizationId, 'STARTUP');

  await change('PRO');
  await eventually(async () => (await subscriptionOf(organizationId)).nextPlanType === 'PRO');
  expect(await planOf(organizationId)).toBe('STARTUP');
  const { change: preview } = await ada.billing.previewChange({ organizationId, planType: 'HOBBY' });
  expect(preview).toMatchObject({ takesEffect: 'period-end', over: [] });
  await passDays(stripe, 32);
  await becomes(organizationId, 'PRO');
  expect(await subscriptionOf(organizationId)).toMatchObject({ nextPlanType: null, state: 'active' });

  await change('FREE_PLAN');
  await eventually(async () => (await subscriptionOf(organizationId)).endsAtPeriodEnd);
  expect(await planOf(organizationId)).toBe('PRO');
  await change('PRO');
  await eventually(async () => !(await subscriptionOf(organizationId)).endsAtPeriodEnd);
  await change('FREE_PLAN');
  await passDays(stripe, 32);
  await becomes(organizationId, 'FREE_PLAN');
  expect(await subscriptionOf(organizationId)).toMatchObject({ state: 'ended' });
  expect((await change('HOBBY')).url).toContain('/test-payments/checkout/');
});

test('a larger plan that the card does not pay for does not begin', async () => {
  const organizationId = await subscribe('HOBBY', cards.failsLater);
  await expect(ada.billing.choosePlan({ organizationId, planType: 'STARTUP' })).rejects.toMatchObject({
    status: 402,
    code: 'payment/refused',
  });
  expect((await paidBy(organizationId)).status).toBe('active');
  expect(await subscriptionOf(organizationId)).toMatchObject({ planType: 'HOBBY', state: 'active' });
});

test('a larger plan replaces a scheduled smaller one, which stays scheduled if the card is declined', async () => {
  const organizationId = await subscribe('PRO');
  const change = (planType: PlanType) => ada.billing.choosePlan({ organizationId, planType });
  const isNext = (planType: PlanType | null) =>
    eventually(async () => (await subscriptionOf(organizationId)).nextPlanType === planType);
  await change('HOBBY');
  await isNext('HOBBY');
  expect(await change('STARTUP')).toEqual({ url: null });
  await becomes(organizationId, 'STARTUP');
  await isNext(null);

  const poor = await subscribe('PRO', cards.failsLater);
  await ada.billing.choosePlan({ organizationId: poor, planType: 'HOBBY' });
  await eventually(async () => (await subscriptionOf(poor)).nextPlanType === 'HOBBY');
  await expect(ada.billing.choosePlan({ organizationId: poor, planType: 'STARTUP' })).rejects.toMatchObject({
    status: 402,
    code: 'payment/refused',
  });
  await allArrived();
  // Repeated, because the server's own sweep may be at it.
  await eventually(async () => {
    await reconcileNow(poor);
    return (await subscriptionOf(poor)).nextPlanType === 'HOBBY';
  });
  expect(await planOf(poor)).toBe('PRO');
});

test('a plan whose renewal failed holds for seven days, owners are told, and nothing is deleted', async () => {
  await query(`update "user" set email = 'ada@example.com', email_verified = true where id = $1`, [
    (await product.sessionOf('ada')).user.uid,
  ]);
  const organizationId = await subscribe('HOBBY', cards.failsLater);
  for (let made = 0; made < 4; made += 1) await ada.chatbot.create({ organizationId, name: `Agent ${made}` });
  await passDays(stripe, 32);
  const isPastDue = async () => (await subscriptionOf(organizationId)).state === 'past-due';
  await eventually(isPastDue);
  await allArrived();
  const { usage } = await ada.billing.getUsage({ organizationId });
  expect(usage.planType).toBe('HOBBY');
  expect(Date.parse(usage.holdsUntil ?? '') - Date.now()).toBeGreaterThan(6.9 * DAY_SECONDS * 1000);
  await reconcileNow(organizationId);
  const { rows: mails } = await query(
    `select subject, text from mail where recipient = 'ada@example.com' and text like $1`,
    [`%/platform/${organizationId}/account/billing%`],
  );
  expect(mails).toMatchObject([{ subject: 'Acme: the payment for the Hobby plan was declined' }]);

  // Repeated, because events of the same days may still be processed in between.
  await eventually(async () => {
    await query(
      `update plan_subscription set past_due_since = now() - interval '7 days 1 minute', read_at = now() - interval '2 hours'
        where organization_id = $1`,
      [organizationId],
    );
    await reconcile(product.app.deps, () => product.url);
    return (await planOf(organizationId)) === 'FREE_PLAN';
  });
  expect((await ada.chatbot.list({ organizationId })).chatbots).toHaveLength(4);
  const [agent] = (await ada.chatbot.list({ organizationId })).chatbots;
  await ada.chatbot.update({ id: agent?.id ?? '', organizationId, name: 'Still ours' });
  await expect(ada.chatbot.create({ organizationId, name: 'One more' })).rejects.toMatchObject({
    code: 'quota/exceeded',
  });
});

test('events delivered twice, in reverse and a hundred times lead to the same state', async () => {
  await stripe.webhookEndpoints.update(OWN_ENDPOINT, { metadata: { deliver: 'twice, reversed' } });
  const organizationId = await subscribe('PRO');
  await Promise.all(
    Array.from({ length: 100 }, async (_, index) =>
      stripe.subscriptions.update((await paidBy(organizationId)).id, { description: `Change ${index}` }),
    ),
  );
  await stripe.subscriptions.cancel((await paidBy(organizationId)).id);
  await becomes(organizationId, 'FREE_PLAN');
  const { data } = await stripe.events.list({ limit: 20 });
  for (const { id } of data)
    await eventually(async () => (await stripe.events.retrieve(id)).pending_webhooks === 0, 30);
  expect(await subscriptionOf(organizationId)).toMatchObject({ planType: 'FREE_PLAN', state: 'ended' });
  await stripe.webhookEndpoints.update(OWN_ENDPOINT, { metadata: '' });
});

test('a refund, a dispute or a deleted customer leads to the free plan, until the dispute is won', async () => {
  const refunded = await subscribe('PRO');
  const { data } = await stripe.charges.list({ customer: await customerOf(product, refunded) });
  await stripe.refunds.create({ charge: data[0]?.id as string, amount: 100 });
  await allArrived();
  await reconcileNow(refunded);
  expect(await planOf(refunded)).toBe('PRO');
  await stripe.refunds.create({ charge: data[0]?.id as string });
  await becomes(refunded, 'FREE_PLAN');
  expect(await subscriptionOf(refunded)).toMatchObject({ state: 'refunded' });

  const disputed = await makeOrganization();
  const { url } = await ada.billing.choosePlan({ organizationId: disputed, planType: 'PRO' });
  await press(pageOf(product, url), 'pay', typedCard(cards.isDisputed));
  await eventually(async () => (await subscriptionOf(disputed)).state === 'disputed');
  expect(await planOf(disputed)).toBe('FREE_PLAN');
  const charges = await stripe.charges.list({ customer: await customerOf(product, disputed) });
  const disputes = await stripe.disputes.list({ charge: charges.data[0]?.id as string });
  await stripe.disputes.update(disputes.data[0]?.id as string, {
    evidence: { uncategorized_text: 'winning_evidence' },
  });
  await becomes(disputed, 'PRO');

  await stripe.customers.del(await customerOf(product, disputed));
  await becomes(disputed, 'FREE_PLAN');
  expect((await ada.billing.choosePlan({ organizationId: disputed, planType: 'PRO' })).url).toContain(
    '/checkout/',
  );
  expect((await ada.billing.portal({ organizationId: disputed })).url).toContain('/portal/');
});

test('what lost events would have changed is found within a day', async () => {
  const organizationId = await subscribe('PRO');
  await loseEvents();
  await stripe.subscriptions.cancel((await paidBy(organizationId)).id);
  await stripe.webhookEndpoints.update(OWN_ENDPOINT, { disabled: false });
  expect(await planOf(organizationId)).toBe('PRO');
  await reconcileNow(organizationId);
  expect(await planOf(organizationId)).toBe('FREE_PLAN');
});

test('a subscription that could not be read while the provider was down is soon read again', async () => {
  const organizationId = await subscribe('PRO');
  await loseEvents();
  await stripe.subscriptions.cancel((await paidBy(organizationId)).id);
  const away = vi.spyOn(stripe.subscriptions, 'list').mockRejectedValue(new Error('The provider is away.'));
  await reconcileNow(organizationId);
  away.mockRestore();
  await reconcile(product.app.deps, () => product.url);
  expect(await planOf(organizationId)).toBe('PRO');
  // Simulates the passing of this much time.
  await query(
    `update plan_subscription set read_at = read_at - interval '11 minutes' where organization_id = $1`,
    [organizationId],
  );
  await reconcile(product.app.deps, () => product.url);
  expect(await planOf(organizationId)).toBe('FREE_PLAN');
  // Disabled until now, so that no late event triggers a read.
  await stripe.webhookEndpoints.update(OWN_ENDPOINT, { disabled: false });
});

test('a deleted organization pays no more', async () => {
  const organizationId = await subscribe('PRO');
  const { id } = await paidBy(organizationId);
  await ada.organization.remove({ id: organizationId, name: 'Acme' });
  await eventually(async () => (await stripe.subscriptions.retrieve(id)).status === 'canceled');
});

test('nobody can start paying for a deleted organization on an open checkout page', async () => {
  const organizationId = await makeOrganization();
  await ada.billing.choosePlan({ organizationId, planType: 'PRO' });
  const customer = await customerOf(product, organizationId);
  const states = async () =>
    (await stripe.checkout.sessions.list({ customer })).data.map(({ status }) => status);
  expect(await states()).toEqual(['open']);
  await ada.organization.remove({ id: organizationId, name: 'Acme' });
  await eventually(async () => (await states()).every((status) => status === 'expired'));
});

test('the effects of a change are stated beforehand, in numbers', async () => {
  const organizationId = await subscribe('HOBBY');
  for (const name of ['One', 'Two', 'Three']) await ada.chatbot.create({ organizationId, name });
  await ada.team.create({ organizationId, name: 'A' });
  const { change } = await ada.billing.previewChange({ organizationId, planType: 'FREE_PLAN' });
  expect(change).toMatchObject({ takesEffect: 'period-end', over: [{ kind: 'agents', used: 3, limit: 2 }] });
  expect((await ada.billing.previewChange({ organizationId, planType: 'PRO' })).change).toEqual({
    takesEffect: 'now',
    at: null,
    over: [],
  });
});

test('usage cannot be set by the caller who asks for it', async () => {
  const organizationId = await makeOrganization();
  const { idToken } = await product.sessionOf('ada');
  for (const more of [
    '"used":0',
    '"credits":-1',
    '"used":0.5',
    '"used":1e309',
    '"used":"∞"',
    '"planType":"STARTUP"',
  ]) {
    const response = await fetch(`${product.url}/v1/billing/usage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' },
      body: `{"organizationId":"${organizationId}",${more}}`,
    });
    expect([more, response.status]).toEqual([more, 400]);
  }
  await query(`insert into credit_usage (organization_id, month, used, reserved) values ($1, $2, 7, 3)`, [
    organizationId,
    new Date().toISOString().slice(0, 7),
  ]);
  const { usage } = await ada.billing.countUsage({ organizationId });
  expect(usage).toMatchObject({
    credits: { used: 7, reserved: 0, limit: 200 },
    counts: { members: 1, agents: 0 },
  });
});
