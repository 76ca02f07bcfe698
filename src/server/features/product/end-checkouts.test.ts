import type Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { cards, eventually, pageOf, press, typedCard } from '../../../../test/payments.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { connectAccount, forGood, monthly, sell } from '../../../../test/selling.ts';
import { endCheckouts } from './end-checkouts.ts';

/** What happens to an open checkout page when what it sells goes away. */

let product: Product;
let stripe: Stripe;
let ada: TestClient;
let organizationId: string;
let stripeAccount: string;
beforeAll(async () => {
  product = await startProduct();
  stripe = product.app.deps.payments.stripe;
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  stripeAccount = await connectAccount(product, ada, organizationId);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => product.close());

let people = 0;

/** An agent that sells this, and a person who may buy it. */
async function shop(config: Parameters<typeof sell>[2]) {
  const { id: agentId } = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot;
  const { id } = await sell(ada, { organizationId, agentId }, config);
  people += 1;
  return { agentId, id, person: product.as(`person ${people}`, 'guest') };
}

/** A person who has the provider's page open. */
async function checkout(config: Parameters<typeof sell>[2]) {
  const made = await shop(config);
  const { purchase, url } = await made.person.purchase.begin({ id: made.id });
  return { ...made, purchase, pay: () => press(pageOf(product, url), 'pay', typedCard(cards.pays)) };
}

const remove = (id: string, permanently: boolean) => ada.chatbot.remove({ id, organizationId, permanently });

const chargesOf = async (purchaseId: string) =>
  (await stripe.charges.list({ limit: 100 }, { stripeAccount })).data.filter(
    ({ metadata }) => metadata['purchase'] === purchaseId,
  );
const sessionsOf = async (purchaseId: string) =>
  (await stripe.checkout.sessions.list({ limit: 100 }, { stripeAccount })).data.filter(
    ({ client_reference_id: id }) => id === purchaseId,
  );
const subscriptionOf = async (purchaseId: string) =>
  (await stripe.subscriptions.list({ status: 'all', limit: 100 }, { stripeAccount })).data.find(
    ({ metadata }) => metadata['purchase'] === purchaseId,
  );

/** The page stays open for now: the provider can't be reached to close it. */
const stayOpen = () =>
  vi.spyOn(stripe.checkout.sessions, 'expire').mockRejectedValue(new Error('The provider is away.'));

/** Repeats until nothing is listed. */
const ended = () =>
  eventually(async () => {
    await endCheckouts(product.app.deps);
    return (await product.app.deps.db.owner.query('select 1 from ended_checkout')).rowCount === 0;
  });

test.each([true, false])('nobody pays for a deleted agent (for good: %s)', async (permanently) => {
  const { agentId, purchase, pay } = await checkout(forGood);
  await remove(agentId, permanently);
  await ended();
  await pay();
  expect(await chargesOf(purchase.id)).toEqual([]);
  expect(await sessionsOf(purchase.id)).toMatchObject([{ status: 'expired' }]);
});

test('a buyer who paid before the page was closed is refunded, and pays no more', async () => {
  const [one, each] = [await checkout(forGood), await checkout(monthly(10))];
  const open = stayOpen();
  for (const { agentId, pay } of [one, each]) {
    await remove(agentId, true);
    expect((await pay()).location).toContain('/checkout/confirmation');
  }
  open.mockRestore();
  await ended();
  expect(await chargesOf(one.purchase.id)).toMatchObject([{ amount: 1900, amount_refunded: 1900 }]);
  const subscription = await subscriptionOf(each.purchase.id);
  expect(subscription).toMatchObject({ status: 'canceled' });
  const { data } = await stripe.invoices.list({ subscription: subscription?.id ?? '' }, { stripeAccount });
  expect(data).toHaveLength(1);
  const back = await stripe.refunds.list({ limit: 100 }, { stripeAccount });
  expect(back.data.map(({ amount }) => amount).toSorted((a, b) => a - b)).toEqual([900, 1900]);
});

test('a subscriber to an agent just put into the trash does not keep paying', async () => {
  const { agentId, purchase, pay } = await checkout(monthly(10));
  const open = stayOpen();
  await remove(agentId, false);
  expect((await pay()).location).toContain('/checkout/confirmation');
  open.mockRestore();
  await ended();
  expect(await subscriptionOf(purchase.id)).toMatchObject({ status: 'active', cancel_at_period_end: true });
  await eventually(
    async () =>
      (
        await product.app.deps.db.owner.query('select 1 from purchase where id = $1 and state = $2', [
          purchase.id,
          'paid',
        ])
      ).rowCount === 1,
  );
});

test.each([true, false])(
  'no page opens for an agent deleted while it is created (for good: %s)',
  async (permanently) => {
    const { agentId, id, person } = await shop(forGood);
    const { sessions } = stripe.checkout;
    const create = sessions.create.bind(sessions);
    const made: string[] = [];
    vi.spyOn(sessions, 'create').mockImplementationOnce((async (
      ...asked: Parameters<typeof create>
    ): Promise<Stripe.Checkout.Session> => {
      await remove(agentId, permanently);
      const session = await create(...asked);
      made.push(session.id);
      return session;
    }) as typeof create);
    await expect(person.purchase.begin({ id })).rejects.toMatchObject({ status: 404 });
    expect(await sessions.retrieve(made[0] ?? '', {}, { stripeAccount })).toMatchObject({
      status: 'expired',
    });
  },
);
