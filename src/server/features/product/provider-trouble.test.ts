import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { pageOf } from '../../../../test/payments.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { idOf } from '../../payment/reach.ts';
import { connectAccount, forGood, monthly, once, sell } from '../../../../test/selling.ts';

/** What holds when the provider fails at a bad moment, or has lost what we know. */

let product: Product;
let ada: TestClient;
let organizationId: string;
let account: string;
let stripe: Stripe;
beforeAll(async () => {
  product = await startProduct();
  stripe = product.app.deps.payments.stripe;
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  account = await connectAccount(product, ada, organizationId);
});
afterAll(() => product.close());
afterEach(() => vi.restoreAllMocks());

const at = () => ({ stripeAccount: account });
const isAway = () => Promise.reject(new Stripe.errors.StripeConnectionError({ message: 'away' }));
const unavailable = { status: 503, code: 'payment/unavailable' };

async function makeAgent() {
  const { chatbot } = await ada.chatbot.create({ organizationId, name: 'Helper' });
  return { organizationId, agentId: chatbot.id };
}

const named = (name: string) => ({ name, description: '', features: [], isHighlighted: false });

test('a partly created product is created under another name the next time', async () => {
  const { id } = (await ada.product.create(await makeAgent())).product;
  const putUp = (name: string) =>
    ada.product.update({ id, paymentConfig: monthly(10), detailsConfig: named(name), state: 'active' });
  vi.spyOn(stripe.prices, 'create').mockImplementationOnce(isAway);
  await expect(putUp('Basic')).rejects.toMatchObject(unavailable);
  expect((await putUp('Better')).product).toMatchObject({ state: 'active' });
});

test('a buyer sees the product’s current name', async () => {
  const offered = await sell(ada, await makeAgent(), forGood, 'Basic');
  await ada.product.update({ id: offered.id, detailsConfig: named('Better') });
  const { url } = await product.as('reader', 'guest').purchase.begin({ id: offered.id });
  expect(await (await fetch(pageOf(product, url))).text()).toContain('Better');
});

test('a product archived at the provider is recreated when it goes on sale again', async () => {
  const offered = await sell(ada, await makeAgent(), forGood);
  const price = await stripe.prices.retrieve(offered.priceId ?? '', {}, at());
  await stripe.prices.update(price.id, { active: false }, at());
  await stripe.products.update(idOf(price.product) ?? '', { active: false }, at());
  const guest = product.as('patient', 'guest');
  await expect(guest.purchase.begin({ id: offered.id })).rejects.toMatchObject(unavailable);
  await ada.product.update({ id: offered.id, state: 'draft' });
  await ada.product.update({ id: offered.id, state: 'active' });
  expect((await guest.purchase.begin({ id: offered.id })).url).toContain('/checkout/');
});

test('an archived price is not reused when a product returns to its amount', async () => {
  const offered = await sell(ada, await makeAgent(), once(10));
  const { id } = offered;
  const dearer = { ...once(10), amount: 2900 } as ReturnType<typeof once>;
  await ada.product.update({ id, paymentConfig: dearer });
  await stripe.prices.update(offered.priceId ?? '', { active: false }, at());
  await ada.product.update({ id, paymentConfig: once(10) });
  expect((await product.as('late', 'guest').purchase.begin({ id })).url).toContain('/checkout/');
});

test('no new checkout can be paid while the earlier one cannot be closed', async () => {
  const { id } = await sell(ada, await makeAgent(), forGood);
  const guest = product.as('slow', 'guest');
  const first = await guest.purchase.begin({ id });
  await product.app.deps.db.owner.query(
    `update purchase set created_at = now() - interval '2 hours' where id = $1`,
    [first.purchase.id],
  );
  vi.spyOn(stripe.checkout.sessions, 'expire').mockImplementationOnce(isAway);
  await expect(guest.purchase.begin({ id })).rejects.toMatchObject(unavailable);
  expect((await guest.purchase.begin({ id })).url).not.toBe(first.url);
  expect((await guest.purchase.get({ id: first.purchase.id })).purchase.state).not.toBe('paid');
});

test('an account unknown to the provider, as after test mode, is replaced', async () => {
  const begun = (await ada.organization.create({ name: 'Going live' })).organization.id;
  await connectAccount(product, ada, begun);
  const { chatbot } = await ada.chatbot.create({ organizationId: begun, name: 'Helper' });
  const { id } = await sell(ada, { organizationId: begun, agentId: chatbot.id }, forGood);
  const { owner } = product.app.deps.db;
  for (const table of ['connect_account', 'product'])
    await owner.query(`update ${table} set account_id = 'acct_ofTestMode' where organization_id = $1`, [
      begun,
    ]);
  const away = vi.spyOn(stripe.accounts, 'retrieve').mockImplementationOnce(isAway);
  expect((await ada.connect.get({ organizationId: begun })).account.state).toBe('ready');
  away.mockRestore();
  expect((await ada.connect.get({ organizationId: begun })).account.state).toBe('new');
  // Looking drops nothing: the key may be wrong for a moment.
  const kept = await owner.query('select account_id from connect_account where organization_id = $1', [
    begun,
  ]);
  expect(kept.rows).toEqual([{ account_id: 'acct_ofTestMode' }]);
  await connectAccount(product, ada, begun);
  await ada.product.update({ id, state: 'draft' });
  expect((await ada.product.update({ id, state: 'active' })).product.priceId).toMatch(/^price_/);
  expect((await product.as('first', 'guest').purchase.begin({ id })).url).toContain('/checkout/');
});
