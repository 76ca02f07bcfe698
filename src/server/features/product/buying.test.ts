import { afterAll, beforeAll, expect, test } from 'vitest';
import { cards, eventually, pageOf, press, typedCard } from '../../../../test/payments.ts';
import { readConfig } from '../../config/config.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import {
  buy,
  connectAccount,
  forFree,
  forGood,
  monthly,
  once,
  pack,
  sell,
  settled,
} from '../../../../test/selling.ts';
import { bearing, visit } from '../../../../test/visit.ts';

let product: Product;
let ada: TestClient;
let organizationId: string;
let account: string;
beforeAll(async () => {
  const { payments } = readConfig({ APPLICATION_FEE_PERCENT: '10' });
  product = await startProduct({ payments });
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  account = await connectAccount(product, ada, organizationId);
});
afterAll(() => product.close());

const query = (sql: string, values: unknown[] = []) => product.app.deps.db.owner.query(sql, values);
const at = () => ({ stripeAccount: account });

async function makeAgent() {
  const { chatbot } = await ada.chatbot.create({ organizationId, name: 'Helper' });
  return { organizationId, agentId: chatbot.id };
}

async function chatOf(client: TestClient, agentId: string) {
  const { conversation } = await client.chat.create({ chatbotId: agentId });
  const send = () => client.chat.send({ id: conversation.id, text: 'Hello?' });
  return { id: conversation.id, send };
}

const refused = { status: 402, code: 'payment/required' };

test('an agent for sale answers its buyers, and stores nothing of what others ask', async () => {
  const key = await makeAgent();
  const guest = product.as('buyer once', 'guest');
  const { id, send } = await chatOf(guest, key.agentId);
  await expect(send()).resolves.toMatchObject({ answer: { state: 'complete' } });
  const offered = await sell(ada, key, forGood);
  await expect(send()).rejects.toMatchObject(refused);
  await expect(guest.chat.create({ chatbotId: key.agentId, text: 'Hello?' })).rejects.toMatchObject(refused);
  expect((await guest.chat.listMessages({ id })).messages).toHaveLength(2);
  expect((await guest.purchase.offers({ chatbotId: key.agentId })).offers).toMatchObject([
    { id: offered.id },
  ]);
  expect(await guest.purchase.standing({ chatbotId: key.agentId })).toEqual({
    isForSale: true,
    mayChat: false,
    entitlements: [],
  });

  const bought = await buy(product, guest, offered.id);
  expect(bought).toMatchObject({ state: 'paid', amount: 1900, currency: 'usd', name: 'Access' });
  await expect(send()).resolves.toMatchObject({ answer: { state: 'complete' } });
  expect(await guest.purchase.standing({ chatbotId: key.agentId })).toMatchObject({
    mayChat: true,
    entitlements: [{ state: 'active', kind: 'once', creditsLeft: null, endsAt: null, renews: false }],
  });
  await expect(guest.purchase.begin({ id: offered.id })).rejects.toMatchObject({ code: 'payment/owned' });
  const other = product.as('other', 'guest');
  const first = await chatOf(other, key.agentId);
  await expect(first.send()).rejects.toMatchObject(refused);
  // Nothing was said there, so there is nothing to find again; a page that has it open can still read it.
  expect((await other.chat.list({ begun: 'true' })).conversations).toEqual([]);
  expect((await ada.endUser.listConversations({ id: key.agentId })).conversations).toHaveLength(1);
  expect((await other.chat.get({ id: first.id })).conversation.id).toBe(first.id);
  expect((await guest.chat.list({ begun: 'true' })).conversations.map((each) => each.id)).toEqual([id]);
  // Someone who sees the agent as a member needs no entitlement.
  await expect((await chatOf(ada, key.agentId)).send()).resolves.toBeDefined();
});

test('an answer of not knowing takes nothing from a pack', async () => {
  const key = await makeAgent();
  const offered = await sell(ada, key, pack(2));
  const bob = product.as('bob');
  await buy(product, bob, offered.id);
  const { send } = await chatOf(bob, key.agentId);
  await send();
  expect((await bob.purchase.standing({ chatbotId: key.agentId })).entitlements).toMatchObject([
    { creditsLeft: 2 },
  ]);
});

test('a free offer is available at once, with so many answers a month', async () => {
  const key = await makeAgent();
  const offered = await sell(ada, key, forFree(3));
  const guest = product.as('frugal', 'guest');
  const { purchase, url } = await guest.purchase.begin({ id: offered.id });
  expect({ state: purchase.state, currency: purchase.currency, url }).toEqual({
    state: 'paid',
    currency: null,
    url: null,
  });
  await (await chatOf(guest, key.agentId)).send();
  await expect(guest.purchase.begin({ id: offered.id })).rejects.toMatchObject({ code: 'payment/owned' });
});

test('a site visitor buys a subscription with a trial, which ends with its period when they cancel', async () => {
  const key = await makeAgent();
  const offered = await sell(ada, key, monthly(50, 7));
  const { token } = await visit(product, key.agentId, {});
  const visitor = bearing(product, token);
  const bought = await buy(product, visitor, offered.id);
  expect(bought.state).toBe('paid');
  expect((await visitor.purchase.standing({ chatbotId: key.agentId })).entitlements).toMatchObject([
    { state: 'trialing', creditsLeft: 50, renews: true },
  ]);
  const { url } = await visitor.purchase.portal({ id: bought.id });
  const { stripe } = product.app.deps.payments;
  const [begun] = (await stripe.subscriptions.list({}, at())).data;
  await press(pageOf(product, url), 'cancel', { subscription: begun?.id ?? '' });
  await eventually(async () => {
    const [held] = (await visitor.purchase.standing({ chatbotId: key.agentId })).entitlements;
    return held?.renews === false;
  });
  const { data } = await stripe.subscriptions.list({}, at());
  expect(data).toMatchObject([{ cancel_at_period_end: true, metadata: { purchase: bought.id } }]);
  await expect((await chatOf(visitor, key.agentId)).send()).resolves.toBeDefined();
});

test('a refund ends access at once, even while a conversation is open', async () => {
  const key = await makeAgent();
  const offered = await sell(ada, key, pack(10));
  const guest = product.as('refunded', 'guest');
  const bought = await buy(product, guest, offered.id);
  const { send } = await chatOf(guest, key.agentId);
  await send();
  await expect(product.as('bob').purchase.refund({ id: bought.id })).rejects.toMatchObject({ status: 404 });
  await ada.purchase.refund({ id: bought.id });
  await eventually(async () => (await guest.purchase.get({ id: bought.id })).purchase.state === 'refunded');
  await expect(send()).rejects.toMatchObject(refused);
  await expect(ada.purchase.refund({ id: bought.id })).rejects.toMatchObject({ status: 409 });
  expect((await guest.purchase.standing({ chatbotId: key.agentId })).entitlements).toMatchObject([
    { state: 'refunded', creditsLeft: 0 },
  ]);
});

test('a failed refund can be requested again, and a completed one is not repeated', async () => {
  const offered = await sell(ada, await makeAgent(), pack(10));
  const guest = product.as('patient', 'guest');
  const { id } = await buy(product, guest, offered.id);
  const setPaid = (isPaid: boolean) =>
    query(
      `update payment_local.object set body = jsonb_set(body, '{paid}', $2)
        where kind = 'charge' and body ->> 'payment_intent' = (select id from payment where purchase_id = $1)`,
      [id, JSON.stringify(isPaid)],
    );
  await setPaid(false);
  await expect(ada.purchase.refund({ id })).rejects.toMatchObject({ status: 503 });
  await setPaid(true);
  const both = await Promise.allSettled([ada.purchase.refund({ id }), ada.purchase.refund({ id })]);
  expect(both.filter(({ status }) => status === 'fulfilled')).not.toEqual([]);
  await eventually(async () => (await guest.purchase.get({ id })).purchase.state === 'refunded');
  const { rows } = await query(
    `select from payment_local.object where kind = 'refund'
       and body ->> 'payment_intent' = (select id from payment where purchase_id = $1)`,
    [id],
  );
  expect(rows).toHaveLength(1);
});

test('a refund is in the audit log, even one that partly failed', async () => {
  const key = await makeAgent();
  const offered = await sell(ada, key, forGood);
  const { id } = await buy(product, product.as('half refunded', 'guest'), offered.id);
  await query(
    `insert into payment (id, organization_id, agent_id, purchase_id, currency, amount, refunded, fee, is_disputed, paid_at)
     select 'pi_unknown', organization_id, agent_id, purchase_id, currency, amount, 0, 0, false, paid_at
       from payment where purchase_id = $1`,
    [id],
  );
  const written = async () =>
    (await query(`select from audit_entry where action = 'purchase.refund' and target_id = $1`, [id]))
      .rowCount;
  await expect(ada.purchase.refund({ id })).rejects.toMatchObject({ status: 404 });
  expect(await written()).toBe(1);
  await eventually(async () => {
    const { rows } = await query(
      `select from payment where purchase_id = $1 and id <> 'pi_unknown' and refunded = amount`,
      [id],
    );
    return rows.length === 1;
  });
  // Now there is nothing left to refund.
  await expect(ada.purchase.refund({ id })).rejects.toMatchObject({ status: 404 });
  expect(await written()).toBe(1);
});

test('a buyer whom the seller deleted at the provider can buy again', async () => {
  const key = await makeAgent();
  const offered = await sell(ada, key, pack(2));
  const client = product.as('deleted there', 'guest');
  const first = await buy(product, client, offered.id);
  const { rows } = await query('select customer_id as customer from purchase where id = $1', [first.id]);
  const { customer } = rows[0] as { customer: string };
  const { stripe } = product.app.deps.payments;
  await stripe.customers.del(customer, {}, at());
  const second = await buy(product, client, offered.id);
  expect(second.state).toBe('paid');
  const third = await buy(product, client, offered.id);
  const { rows: others } = await query(
    'select distinct customer_id as customer from purchase where id = any($1)',
    [[second.id, third.id]],
  );
  expect(others).toHaveLength(1);
  expect(others).not.toContainEqual({ customer });
});

test('a refund returns the operator’s fee as well, which is no longer shown as charged', async () => {
  const key = await makeAgent();
  const offered = await sell(ada, key, forGood);
  const bought = await buy(product, product.as('sorry', 'guest'), offered.id);
  const fees = async () =>
    (await ada.earning.get({ agentId: key.agentId })).totals.map(({ refunded, fee }) => [refunded, fee]);
  await expect.poll(fees).toEqual([[0, 190]]);
  const { rows } = await query('select id from payment where purchase_id = $1', [bought.id]);
  const part = { payment_intent: rows[0]?.['id'] as string, amount: 950, refund_application_fee: true };
  await product.app.deps.payments.stripe.refunds.create(part, at());
  await expect.poll(fees).toEqual([[950, 95]]);
  await ada.purchase.refund({ id: bought.id });
  await expect.poll(fees).toEqual([[1900, 0]]);
});

test('a promotion code gives a discount until it is ended', async () => {
  const key = await makeAgent();
  const offered = await sell(ada, key, forGood);
  const half = { organizationId, code: 'HALF-OFF', percentOff: 50, usesMax: 5 } as const;
  const { coupon } = await ada.coupon.create(half);
  expect(coupon).toMatchObject({ code: 'HALF-OFF', percentOff: 50, isActive: true, uses: 0, usesMax: 5 });
  await expect(ada.coupon.create(half)).rejects.toMatchObject({ status: 400 });
  await expect(ada.coupon.create({ ...half, code: half.code.toLowerCase() })).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'code' }],
  });
  const guest = product.as('thrifty', 'guest');
  const { purchase, url } = await guest.purchase.begin({ id: offered.id });
  await press(pageOf(product, url), 'code', { promotion: 'half-off' });
  await press(pageOf(product, url), 'pay', typedCard(cards.pays));
  await settled(guest, purchase.id);
  const { totals, purchases } = await ada.earning.get({ agentId: key.agentId });
  expect(totals).toMatchObject([{ currency: 'usd', paid: 950, fee: 95 }]);
  expect(purchases).toMatchObject([{ amount: 1900, paid: 950, refunded: 0 }]);
  expect((await guest.purchase.list({})).purchases).toMatchObject([{ amount: 1900, paid: 950 }]);
  const [fee] = (await product.app.deps.payments.stripe.applicationFees.list({ limit: 1 })).data;
  expect(fee).toMatchObject({ amount: 190, amount_refunded: 95 });
  expect((await ada.coupon.list({ organizationId })).coupons).toMatchObject([{ id: coupon.id, uses: 1 }]);
  const found = async (search: string) => (await ada.coupon.list({ organizationId, search })).coupons.length;
  expect([await found('lf-o'), await found('half-on')]).toEqual([1, 0]);
  await ada.coupon.remove({ organizationId, id: coupon.id });
  expect((await ada.coupon.list({ organizationId })).coupons).toMatchObject([{ isActive: false }]);
  const other = (await product.as('eve').organization.create({ name: 'Eves' })).organization.id;
  await expect(
    product.as('eve').coupon.remove({ organizationId: other, id: coupon.id }),
  ).rejects.toMatchObject({ status: 404 });
});

test('only the latest of several started checkouts can be paid', async () => {
  const key = await makeAgent();
  const offered = await sell(ada, key, monthly(5, 7));
  const client = product.as('slow', 'guest');
  const first = await client.purchase.begin({ id: offered.id });
  await query(`update purchase set created_at = now() - interval '2 hours' where id = $1`, [
    first.purchase.id,
  ]);
  const second = await client.purchase.begin({ id: offered.id });
  expect(second.purchase.id).not.toBe(first.purchase.id);
  await press(pageOf(product, first.url), 'pay', typedCard(cards.pays));
  expect((await settled(client, first.purchase.id)).state).toBe('expired');
  await press(pageOf(product, second.url), 'pay', typedCard(cards.pays));
  expect((await settled(client, second.purchase.id)).state).toBe('paid');
});

test('a restarted checkout sells the current offer, even at the same price', async () => {
  const key = await makeAgent();
  const offered = await sell(ada, key, pack(5));
  const client = product.as('undecided', 'guest');
  const first = await client.purchase.begin({ id: offered.id });
  await ada.product.update({ id: offered.id, paymentConfig: pack(3) });
  const second = await client.purchase.begin({ id: offered.id });
  expect(second.purchase.id).not.toBe(first.purchase.id);
  expect((await client.purchase.begin({ id: offered.id })).url).toBe(second.url);
  await press(pageOf(product, second.url), 'pay', typedCard(cards.pays));
  expect((await settled(client, second.purchase.id)).state).toBe('paid');
  expect((await client.purchase.standing({ chatbotId: key.agentId })).entitlements).toMatchObject([
    { creditsLeft: 3 },
  ]);
});

test('a trial is only for those who have not had one', async () => {
  const key = await makeAgent();
  const offered = await sell(ada, key, monthly(5, 7));
  const client = product.as('trying', 'guest');
  const held = async () => (await client.purchase.standing({ chatbotId: key.agentId })).entitlements[0];
  await buy(product, client, offered.id);
  expect((await held())?.state).toBe('trialing');
  const { stripe } = product.app.deps.payments;
  const { data } = await stripe.subscriptions.list({ limit: 100 }, at());
  for (const { id, status } of data)
    if (status === 'trialing' || status === 'active') await stripe.subscriptions.cancel(id, {}, at());
  await eventually(async () => (await held())?.state === 'ended');
  await buy(product, client, offered.id);
  expect(await held()).toMatchObject({ state: 'active', creditsLeft: 5 });
});

test('access for some days ends with them, and free credits renew each month', async () => {
  const key = await makeAgent();
  const days = await sell(ada, key, once(3));
  const free = await sell(ada, key, forFree(4));
  const client = product.as('timely', 'guest');
  const standing = () => client.purchase.standing({ chatbotId: key.agentId });
  await buy(product, client, days.id);
  const [held] = (await standing()).entitlements;
  expect(Date.parse(held?.endsAt ?? '') - Date.now()).toBeGreaterThan(2.9 * 86_400_000);
  await query(`update entitlement set ends_at = now() - interval '1 second' where id = $1`, [held?.id]);
  expect(await standing()).toMatchObject({ mayChat: false, entitlements: [{ state: 'ended' }] });
  await expect((await chatOf(client, key.agentId)).send()).rejects.toMatchObject(refused);

  await client.purchase.begin({ id: free.id });
  const [refilled] = (await standing()).entitlements;
  await query(
    `select move_credits(id, organization_id, 'left', 'spent', 4, 'spend', null) from entitlement where id = $1`,
    [refilled?.id],
  );
  expect((await standing()).mayChat).toBe(false);
  await query(`update entitlement set period_start = period_start - interval '2 months' where id = $1`, [
    refilled?.id,
  ]);
  const [listed] = (await client.purchase.list({})).purchases;
  expect(listed?.entitlement?.creditsLeft).toBe(4);
  expect(await standing()).toMatchObject({ mayChat: true, entitlements: [{ creditsLeft: 4 }, {}] });
});

test('fifty clicks make one purchase with one checkout', async () => {
  const key = await makeAgent();
  const offered = await sell(ada, key, forGood);
  const client = product.as('impatient', 'guest');
  const begun = await Promise.all(
    Array.from({ length: 50 }, () => client.purchase.begin({ id: offered.id })),
  );
  expect(new Set(begun.map(({ url }) => url)).size).toBe(1);
  expect(new Set(begun.map(({ purchase }) => purchase.id)).size).toBe(1);
});
