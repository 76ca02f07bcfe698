import type Stripe from 'stripe';
import { planNames, planTypes, type PlanType } from '../../../contract/plans.ts';
import type { Deps } from '../../deps.ts';

/** What marks a price as that of a plan, at the provider. */
const MARK = 'parleyPlan';

/**
 * The price of a plan at the provider, made when it is first needed. It is known by a key that holds the amount, so that an
 * installation that changes a price has another one, and who pays the old one goes on with it.
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

/** Undefined for what is none of our plans. */
export function planOfPrice(price: Stripe.Price | undefined): PlanType | undefined {
  return planTypes.find((type) => type === price?.metadata[MARK]);
}
