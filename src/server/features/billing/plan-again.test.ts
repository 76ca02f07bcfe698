import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
import { reconcile } from './subscription.ts';

/** A plan that no longer gives anything, because it was refunded or never paid, is bought anew. */

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

async function becomes(organizationId: string, planType: PlanType): Promise<void> {
  await eventually(
    async () => (await ada.billing.getUsage({ organizationId })).usage.planType === planType,
    20,
  );
}

async function payFor(organizationId: string, planType: PlanType, card = cards.pays): Promise<void> {
  const { url } = await ada.billing.choosePlan({ organizationId, planType });
  expect(url).toContain('/checkout/');
  await press(pageOf(product, url), 'pay', typedCard(card));
  await becomes(organizationId, planType);
}

async function subscribe(planType: PlanType, card = cards.pays): Promise<string> {
  const { id } = (await ada.organization.create({ name: 'Acme' })).organization;
  await payFor(id, planType, card);
  return id;
}

const statesOf = async (organizationId: string) => {
  const customer = await customerOf(product, organizationId);
  const { data } = await stripe.subscriptions.list({ customer, status: 'all' });
  return data.map(({ status }) => status).toSorted();
};

test('a refunded customer gets the plan they then choose and pay for, and pays no more for the previous one', async () => {
  const organizationId = await subscribe('HOBBY');
  const { data } = await stripe.charges.list({ customer: await customerOf(product, organizationId) });
  await stripe.refunds.create({ charge: data[0]?.id as string });
  await becomes(organizationId, 'FREE_PLAN');
  await passDays(stripe, 2);

  const { change } = await ada.billing.previewChange({ organizationId, planType: 'PRO' });
  expect(change.takesEffect).toBe('checkout');
  await payFor(organizationId, 'PRO');
  expect(await statesOf(organizationId)).toEqual(['active', 'canceled']);
  const { subscription } = await ada.billing.getSubscription({ organizationId });
  expect(subscription).toMatchObject({ state: 'active', planType: 'PRO' });
});

test('a plan that ended unpaid, even the same one, is bought anew', async () => {
  const organizationId = await subscribe('HOBBY', cards.failsLater);
  await passDays(stripe, 32);
  await eventually(
    async () => (await ada.billing.getSubscription({ organizationId })).subscription.state === 'past-due',
  );
  // A plan that is still active isn't bought again.
  expect((await ada.billing.choosePlan({ organizationId, planType: 'HOBBY' })).url).toBeNull();
  await eventually(async () => {
    await query(
      `update plan_subscription set past_due_since = now() - interval '8 days', read_at = now() - interval '2 days'
        where organization_id = $1`,
      [organizationId],
    );
    await reconcile(product.app.deps, () => product.url);
    return (await ada.billing.getUsage({ organizationId })).usage.planType === 'FREE_PLAN';
  });

  const { change } = await ada.billing.previewChange({ organizationId, planType: 'HOBBY' });
  expect(change.takesEffect).toBe('checkout');
  await payFor(organizationId, 'HOBBY');
  expect(await statesOf(organizationId)).toEqual(['active', 'canceled']);
  const { subscription } = await ada.billing.getSubscription({ organizationId });
  expect(subscription).toMatchObject({ state: 'active', planType: 'HOBBY', holdsUntil: null });
});
