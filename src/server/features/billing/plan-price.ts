import type Stripe from 'stripe';
import { planNames, planTypes, type PlanType } from '../../../contract/plans.ts';
import type { Deps } from '../../deps.ts';

/** Marks a price at the provider as that of a plan. */
const MARK = 'parleyPlan';

/**
 * A plan's price at the provider, created on first use. It is identified by a key that contains the amount, so changing
 * a price creates a new one, and existing subscribers keep the old one.
 */
export async function priceOf(
  { config, payments: { stripe } }: Pick<Deps, 'config' | 'payments'>,
  planType: PlanType,
): Promise<Stripe.Price> {
  const amount = Math.round(config.billing.plans[planType].priceUsdAMonth * 100);
  const key = `parley_plan_${planType}_${amount}_usd_month`;
  const { data } = await stripe.prices.list({ lookup_keys: [key], active: true, limit: 1 });
  if (data[0]) return data[0];
  return stripe.prices.create(
    {
      currency: 'usd',
      unit_amount: amount,
      recurring: { interval: 'month' },
      lookup_key: key,
      nickname: planNames[planType],
      metadata: { [MARK]: planType },
      product_data: { name: `Parley ${planNames[planType]}`, metadata: { [MARK]: planType } },
    },
    { idempotencyKey: key },
  );
}

/** Undefined for a price that isn't one of our plans. */
export function planOfPrice(price: Stripe.Price | undefined): PlanType | undefined {
  return planTypes.find((type) => type === price?.metadata[MARK]);
}
