import type Stripe from 'stripe';
import { PaymentConfig } from '../../../contract/product.ts';
import { invalidField } from '../../app-error.ts';
import { reach } from '../../payment/reach.ts';
import type { ProductChanges, StoredProduct } from './store.ts';

/** What a product costs, in the provider's terms. A price is never changed there: another amount is another price. */

export type Paid = Exclude<PaymentConfig, { kind: 'free' }>;

export function isPaid(config: PaymentConfig): config is Paid {
  return config.kind !== 'free';
}

/** The terms with the amount, currency and interval of a price. Errors: 400 for one that cannot be these. */
export function withPrice(config: PaymentConfig, price: Stripe.Price): Paid {
  if (!isPaid(config)) throw invalidField('priceId', 'What is free has no price.');
  const { unit_amount: amount, currency, recurring } = price;
  if (!price.active) throw invalidField('priceId', 'This price is not active.');
  if (amount === null || amount <= 0) throw invalidField('priceId', 'This price is of nothing.');
  const isMetered = recurring !== null && recurring.usage_type === 'metered';
  if (
    (recurring !== null) !== (config.kind === 'recurring') ||
    isMetered ||
    (recurring?.interval_count ?? 1) > 1
  )
    throw invalidField('priceId', 'This price is not paid as the product is.');
  const interval = recurring ? { interval: recurring.interval } : {};
  const parsed = PaymentConfig.safeParse({ ...config, amount, currency, ...interval });
  if (!parsed.success || !isPaid(parsed.data))
    throw invalidField('priceId', 'This amount, currency or interval cannot be sold here.');
  return parsed.data;
}

function intervalOf(config: Paid): 'month' | 'year' | undefined {
  return config.kind === 'recurring' ? config.interval : undefined;
}

/** What of the terms stands in a price. */
function keyOf(config: PaymentConfig): string {
  if (!isPaid(config)) return 'free';
  return [config.amount, config.currency, intervalOf(config) ?? 'once', config.taxBehavior].join(' ');
}

export function costsTheSame(a: PaymentConfig, b: PaymentConfig): boolean {
  return keyOf(a) === keyOf(b);
}

/** Makes the price at the provider, and the product that it is of, each once. Errors: 503. */
export async function makePrice(
  stripe: Stripe,
  accountId: string,
  product: Pick<StoredProduct, 'id' | 'detailsConfig' | 'accountId' | 'providerProductId'>,
  config: Paid,
): Promise<Required<Pick<ProductChanges, 'accountId' | 'providerProductId' | 'priceId'>>> {
  const { id, detailsConfig } = product;
  const options = { stripeAccount: accountId };
  const known = product.accountId === accountId ? product.providerProductId : null;
  const providerProductId =
    known ??
    (
      await reach(
        stripe.products.create(
          { name: detailsConfig.name, metadata: { product: id } },
          { ...options, idempotencyKey: `product ${id} ${accountId}` },
        ),
      )
    ).id;
  const interval = intervalOf(config);
  const price = await reach(
    stripe.prices.create(
      {
        product: providerProductId,
        currency: config.currency,
        unit_amount: config.amount,
        tax_behavior: config.taxBehavior,
        metadata: { product: id },
        ...(interval ? { recurring: { interval } } : {}),
      },
      { ...options, idempotencyKey: `price ${id} ${accountId} ${keyOf(config)}` },
    ),
  );
  return { accountId, providerProductId, priceId: price.id };
}
