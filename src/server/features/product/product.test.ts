import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plans } from '../../../contract/plans.ts';
import { eventually, pageOf, press } from '../../../../test/payments.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { buy, connectAccount, forFree, forGood, monthly, sell } from '../../../../test/selling.ts';

let product: Product;
let stripe: Stripe;
let ada: TestClient;
let organizationId: string;
let account: string;
beforeAll(async () => {
  product = await startProduct({ billing: { mode: 'on', plans } });
  stripe = product.app.deps.payments.stripe;
  ada = product.as('ada');
  ({ organizationId, account } = await makeOrganization('Acme'));
});
afterAll(() => product.close());

const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await product.app.deps.db.owner.query<Row>(sql, values)).rows;

async function makeOrganization(name: string) {
  const { id } = (await ada.organization.create({ name })).organization;
  await query(`update organization set plan_type = 'STARTUP' where id = $1`, [id]);
  return { organizationId: id, account: await connectAccount(product, ada, id) };
}

async function makeAgent(of = organizationId) {
  const { chatbot } = await ada.chatbot.create({ organizationId: of, name: 'Helper' });
  return { organizationId: of, agentId: chatbot.id };
}

const make = (price: Partial<Stripe.PriceCreateParams>, stripeAccount = account) =>
  stripe.prices.create(
    { currency: 'usd', unit_amount: 700, product_data: { name: 'Own' }, ...price },
    { stripeAccount },
  );

test('an account is created once, however often it is requested, and mirrors the provider’s state', async () => {
  const { id } = (await ada.organization.create({ name: 'Clicker' })).organization;
  const stateOf = async () => (await ada.connect.get({ organizationId: id })).account;
  expect(await stateOf()).toEqual({ state: 'new', requirements: [], isTestMode: true });
  const links = await Promise.all(Array.from({ length: 50 }, () => ada.connect.link({ organizationId: id })));
  const { data } = await stripe.accounts.list({ limit: 100 });
  expect(data.filter(({ metadata }) => metadata?.['organization'] === id)).toHaveLength(1);
  expect((await stateOf()).state).toBe('incomplete');
  await press(pageOf(product, links[0]?.url ?? ''), 'incomplete');
  expect(await stateOf()).toMatchObject({ state: 'incomplete', requirements: ['external_account'] });
  await press(pageOf(product, links[1]?.url ?? ''), 'complete');
  expect(await stateOf()).toMatchObject({ state: 'ready', requirements: [] });

  const offered = await sell(ada, await makeAgent(id), forGood);
  await press(pageOf(product, (await ada.connect.link({ organizationId: id })).url), 'incomplete');
  await eventually(async () => (await stateOf()).state === 'restricted');
  await expect(product.as('guest', 'guest').purchase.begin({ id: offered.id })).rejects.toMatchObject({
    code: 'payment/account-needed',
  });

  // They disconnect: the next account is a different one.
  const [old] = data.filter(({ metadata }) => metadata?.['organization'] === id);
  await stripe.accounts.del(old?.id ?? '');
  await eventually(async () => (await stateOf()).state === 'new');
  // Their prices go a moment later.
  await eventually(async () => (await ada.product.get({ id: offered.id })).product.priceId === null);
  expect(await connectAccount(product, ada, id)).not.toBe(old?.id);
});

test('a product begins as a hidden draft, and cannot be sold before payouts are possible', async () => {
  const poor = (await ada.organization.create({ name: 'Poor' })).organization.id;
  const key = await makeAgent(poor);
  const draft = (await ada.product.create(key)).product;
  expect(draft).toMatchObject({ state: 'draft', priceId: null, paymentConfig: { kind: 'recurring' } });
  const guest = product.as('looker', 'guest');
  expect((await guest.purchase.offers({ chatbotId: key.agentId })).offers).toEqual([]);
  await expect(ada.product.update({ id: draft.id, state: 'active' })).rejects.toMatchObject({
    status: 409,
    code: 'payment/account-needed',
  });
  const unnamed = ada.product.update({ id: draft.id, detailsConfig: { name: '   ' } });
  await expect(unnamed).rejects.toMatchObject({ status: 400, errors: [{ path: 'detailsConfig.name' }] });
  // A free plan has room for one.
  await expect(ada.product.create(key)).rejects.toMatchObject({ code: 'quota/exceeded' });
  const free = { id: draft.id, paymentConfig: forFree(5), state: 'active' } as const;
  expect((await ada.product.update(free)).product).toMatchObject({ state: 'active', priceId: null });
});

test('a price is created at the provider when it goes on sale, and a new one for a new amount', async () => {
  const offered = await sell(ada, await makeAgent(), monthly(10));
  const at = { stripeAccount: account };
  const first = await stripe.prices.retrieve(offered.priceId ?? '', {}, at);
  expect(first).toMatchObject({ unit_amount: 900, currency: 'usd', recurring: { interval: 'month' } });
  const named = await ada.product.update({
    id: offered.id,
    detailsConfig: { name: 'Other', description: '', features: ['Fast'], isHighlighted: true },
  });
  expect(named.product.priceId).toBe(offered.priceId);
  const dearer = { ...monthly(10), amount: 1200 } as ReturnType<typeof monthly>;
  const { priceId } = (await ada.product.update({ id: offered.id, paymentConfig: dearer })).product;
  expect(priceId).not.toBe(offered.priceId);
  expect(await stripe.prices.retrieve(priceId ?? '', {}, at)).toMatchObject({
    unit_amount: 1200,
    product: first.product,
  });
  expect((await stripe.prices.retrieve(offered.priceId ?? '', {}, at)).unit_amount).toBe(900);
});

test('a given price must be the organization’s own, active, and for a positive amount', async () => {
  const key = await makeAgent();
  const { id } = (await ada.product.create(key)).product;
  const own = await make({ unit_amount: 700, recurring: { interval: 'year' } });
  const other = await makeOrganization('Other');
  const foreign = await make({ recurring: { interval: 'year' } }, other.account);
  const platform = await stripe.prices.create({
    currency: 'usd',
    unit_amount: 700,
    recurring: { interval: 'year' },
    product_data: { name: 'Plan' },
  });
  for (const priceId of [foreign.id, platform.id, 'price_nothing'])
    await expect(ada.product.update({ id, priceId })).rejects.toMatchObject({ status: 404 });
  const free = await make({ unit_amount: 0, recurring: { interval: 'year' } });
  const asleep = await make({ recurring: { interval: 'year' } });
  await stripe.prices.update(asleep.id, { active: false }, { stripeAccount: account });
  const once = await make({});
  const strange = await make({ currency: 'sek', recurring: { interval: 'year' } });
  for (const { id: priceId } of [free, asleep, once, strange])
    await expect(ada.product.update({ id, priceId })).rejects.toMatchObject({ status: 400 });
  const { product: taken } = await ada.product.update({ id, priceId: own.id, state: 'active' });
  expect(taken).toMatchObject({
    priceId: own.id,
    paymentConfig: { kind: 'recurring', interval: 'year', amount: 700, currency: 'usd' },
  });
  expect((await ada.product.get({ id })).product).toEqual(taken);
});

test('a product with buyers is archived when deleted, and its buyers keep it', async () => {
  const key = await makeAgent();
  const unbought = await sell(ada, key, forGood);
  const offered = await sell(ada, key, monthly(null));
  const guest = product.as('keeper', 'guest');
  await buy(product, guest, offered.id);
  expect((await ada.product.get({ id: offered.id })).product.entitled).toBe(1);
  await ada.product.remove({ id: unbought.id });
  await ada.product.remove({ id: offered.id });
  const { products } = await ada.product.list({ agentId: key.agentId });
  expect(products).toMatchObject([{ id: offered.id, state: 'archived', entitled: 1 }]);
  expect(await guest.purchase.standing({ chatbotId: key.agentId })).toMatchObject({
    isForSale: false,
    mayChat: true,
    entitlements: [{ state: 'active', creditsLeft: null }],
  });
  const { purchases } = await guest.purchase.list({});
  expect(purchases).toMatchObject([{ name: 'Access', agentName: 'Helper', entitlement: { renews: true } }]);
  await expect(guest.purchase.begin({ id: offered.id })).rejects.toMatchObject({ status: 404 });
});
