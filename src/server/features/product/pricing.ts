import type Stripe from 'stripe';
import { PaymentConfig } from '../../../contract/product.ts';
import { AppError, invalidField } from '../../app-error.ts';
import { onceKey, reach } from '../../payment/reach.ts';
import type { ProductChanges, StoredProduct } from './store.ts';

/** What a product costs, in the provider's terms. A price there is immutable: another amount is another price. */

export type Paid = Exclude<PaymentConfig, { kind: 'free' }>;

export function isPaid(config: PaymentConfig): config is Paid {
  return config.kind !== 'free';
}

/** The terms with the amount, currency and interval of a price. Errors: 400 for a price that doesn't fit. */
export function withPrice(config: PaymentConfig, price: Stripe.Price): Paid {
  if (!isPaid(config)) throw invalidField('priceId', 'A free plan has no price.');
  const { unit_amount: amount, currency, recurring } = price;
  if (!price.active) throw invalidField('priceId', 'This price is not active.');
  if (amount === null || amount <= 0) throw invalidField('priceId', 'This price has no amount.');
  const isMetered = recurring !== null && recurring.usage_type === 'metered';
  if (
    (recurring !== null) !== (config.kind === 'recurring') ||
    isMetered ||
    (recurring?.interval_count ?? 1) > 1
  )
    throw invalidField('priceId', 'This price is billed differently from the product.');
  const interval = recurring ? { interval: recurring.interval } : {};
  const parsed = PaymentConfig.safeParse({ ...config, amount, currency, ...interval });
  if (!parsed.success || !isPaid(parsed.data))
    throw invalidField('priceId', 'This amount, currency or interval cannot be sold here.');
  return parsed.data;
}

function intervalOf(config: Paid): 'month' | 'year' | undefined {
  return config.kind === 'recurring' ? config.interval : undefined;
}

/** The part of the terms that a price contains. */
function keyOf(config: PaymentConfig): string {
  if (!isPaid(config)) return 'free';
  return [config.amount, config.currency, intervalOf(config) ?? 'once', config.taxBehavior].join(' ');
}

export function costsTheSame(a: PaymentConfig, b: PaymentConfig): boolean {
  return keyOf(a) === keyOf(b);
}

/** False if the price or its product was archived at the provider: nobody can pay it there. */
export async function isForSale(stripe: Stripe, stripeAccount: string, priceId: string): Promise<boolean> {
  const asked = stripe.prices.retrieve(priceId, { expand: ['product'] }, { stripeAccount });
  const { active, product } = await reach(asked);
  return active && isLive(product);
}

/** Creates the price at the provider that replaces the previous one, and its product, each once. Errors: 503. */
export async function makePrice(
  stripe: Stripe,
  stripeAccount: string,
  product: Pick<StoredProduct, 'id' | 'detailsConfig' | 'accountId' | 'providerProductId' | 'priceId'>,
  config: Paid,
): Promise<Required<Pick<ProductChanges, 'accountId' | 'providerProductId' | 'priceId'>>> {
  const providerProductId = await ensureProduct(stripe, stripeAccount, product);
  const interval = intervalOf(config);
  const asked = {
    product: providerProductId,
    currency: config.currency,
    unit_amount: config.amount,
    tax_behavior: config.taxBehavior,
    metadata: { product: product.id },
    ...(interval ? { recurring: { interval } } : {}),
  };
  const idempotencyKey = onceKey(`price ${product.id} after ${product.priceId ?? 'none'}`, asked);
  const price = await reach(stripe.prices.create(asked, { stripeAccount, idempotencyKey }));
  return { accountId: stripeAccount, providerProductId, priceId: price.id };
}

/** The previous one, or a new one if it is gone or archived. */
async function ensureProduct(
  stripe: Stripe,
  stripeAccount: string,
  product: Pick<StoredProduct, 'id' | 'detailsConfig' | 'accountId' | 'providerProductId'>,
): Promise<string> {
  const known = product.accountId === stripeAccount ? product.providerProductId : null;
  if (known !== null) {
    const found = await reach(stripe.products.retrieve(known, {}, { stripeAccount })).catch(unlessGone);
    if (found && isLive(found)) return known;
  }
  const asked = { name: product.detailsConfig.name, metadata: { product: product.id } };
  const idempotencyKey = onceKey(`product ${product.id} after ${known ?? 'none'}`, asked);
  return (await reach(stripe.products.create(asked, { stripeAccount, idempotencyKey }))).id;
}

/** Shows buyers its current name. Does nothing for a product that is not at the provider or is gone there. */
export async function renameProduct(
  stripe: Stripe,
  { accountId, providerProductId }: Pick<StoredProduct, 'accountId' | 'providerProductId'>,
  name: string,
): Promise<void> {
  if (accountId === null || providerProductId === null) return;
  const asked = stripe.products.update(providerProductId, { name }, { stripeAccount: accountId });
  await reach(asked).catch(unlessGone);
}

function isLive(product: string | Stripe.Product | Stripe.DeletedProduct): boolean {
  return typeof product !== 'string' && !product.deleted && product.active;
}

function unlessGone(error: unknown): undefined {
  if (!(error instanceof AppError && error.code === 'resource/not-found')) throw error;
}
