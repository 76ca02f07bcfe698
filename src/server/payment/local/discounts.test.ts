import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cards, makePrice, pageOf, press, successUrl, typedCard } from '../../../../test/payments.ts';
import { startProduct, type Product } from '../../../../test/product.ts';

let product: Product;
let stripe: Stripe;
beforeAll(async () => {
  product = await startProduct();
  stripe = product.app.deps.payments.stripe;
});
afterAll(() => product.close());

test('a code for two discounts two of several concurrent payments, and the others see the full price', async () => {
  const price = await makePrice(stripe);
  const coupon = await stripe.coupons.create({ percent_off: 50, duration: 'once' });
  const code = await stripe.promotionCodes.create({
    promotion: { type: 'coupon', coupon: coupon.id },
    code: 'SPRING',
    max_redemptions: 2,
  });
  const begin = () =>
    stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [{ price: price.id, quantity: 1 }],
      success_url: successUrl,
      allow_promotion_codes: true,
    });
  const sessions = await Promise.all([1, 2, 3, 4, 5].map(begin));
  const pages = sessions.map(({ url }) => pageOf(product, url));
  for (const page of pages)
    expect((await press(page, 'code', { promotion: 'spring' })).html).toContain('$10.00');
  const pay = (page: string) => press(page, 'pay', typedCard(cards.pays));
  const refused = (await Promise.all(pages.map(pay))).filter(({ html }) =>
    html.includes('can no longer be used'),
  );
  expect(refused).toHaveLength(3);
  for (const { html } of refused) expect(html).not.toContain('$10.00');
  expect((await stripe.promotionCodes.retrieve(code.id)).times_redeemed).toBe(2);

  await Promise.all(pages.map(pay));
  const totals = await Promise.all(
    sessions.map(async ({ id }) => (await stripe.checkout.sessions.retrieve(id)).amount_total ?? 0),
  );
  expect(totals.toSorted((a, b) => a - b)).toEqual([1000, 1000, 2000, 2000, 2000]);
});
