import type { PaymentConfig } from '../src/contract/product.ts';
import { cards, eventually, pageOf, press, typedCard } from './payments.ts';
import type { Product, TestClient } from './product.ts';

/** For sales tests: an organization that can be paid, something for sale, and people who buy it. */

/** Completes the provider's onboarding page. Returns the account's ID at the provider. */
export async function connectAccount(
  product: Product,
  owner: TestClient,
  organizationId: string,
): Promise<string> {
  const { url } = await owner.connect.link({ organizationId });
  await press(pageOf(product, url), 'complete');
  const { account } = await owner.connect.get({ organizationId });
  if (account.state !== 'ready') throw new Error('The account is not ready.');
  const { rows } = await product.app.deps.db.owner.query<{ id: string }>(
    'select account_id as id from connect_account where organization_id = $1',
    [organizationId],
  );
  return rows[0]?.id ?? '';
}

export async function sell(
  owner: TestClient,
  key: { organizationId: string; agentId: string },
  paymentConfig: PaymentConfig,
  name = 'Access',
) {
  const { id } = (await owner.product.create(key)).product;
  return (
    await owner.product.update({
      id,
      paymentConfig,
      detailsConfig: { name, description: '', features: [], isHighlighted: false },
      state: 'active',
    })
  ).product;
}

/** Pays with a card, as a person does, and waits until the provider has reported it. */
export async function buy(product: Product, client: TestClient, id: string, card = cards.pays) {
  const { purchase, url } = await client.purchase.begin({ id });
  if (url === null) return purchase;
  await press(pageOf(product, url), 'pay', typedCard(card));
  return settled(client, purchase.id);
}

export async function settled(client: TestClient, id: string) {
  return eventually(async () => {
    const { purchase } = await client.purchase.get({ id });
    return purchase.state !== 'pending' && purchase;
  });
}

export const price = { currency: 'usd', taxBehavior: 'unspecified', allowsCoupons: true } as const;
export const costs = { creditsAMessage: 1, creditsAToolCall: 0 };

export const pack = (credits: number): PaymentConfig => ({
  kind: 'pack',
  amount: 500,
  credits,
  ...price,
  ...costs,
});
export const monthly = (credits: number | null, trialDays = 0): PaymentConfig => ({
  kind: 'recurring',
  interval: 'month',
  amount: 900,
  trialDays,
  credits,
  ...price,
  ...costs,
});
/** Null: forever. */
export const once = (accessDays: number | null): PaymentConfig => ({
  kind: 'once',
  amount: 1900,
  accessDays,
  credits: null,
  ...price,
  ...costs,
});
export const forGood = once(null);
export const forFree = (credits: number): PaymentConfig => ({ kind: 'free', credits, ...costs });
