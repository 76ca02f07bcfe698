import type Stripe from 'stripe';
import * as z from 'zod';
import type { Books } from './books.ts';
import { invalid } from './api-error.ts';
import { idOf, newId, word as newWord, type Hidden } from './kinds.ts';
import {
  amount,
  anything,
  count,
  currency,
  flag,
  id,
  int,
  listing,
  mergeMetadata,
  metadata,
  percent,
  word,
} from './params.ts';
import { listOf, route, type Route } from './route.ts';
import { addInterval } from './periods.ts';

const couponFields = z.strictObject({
  ...anything,
  id: word.min(1).optional(),
  amount_off: amount.optional(),
  percent_off: percent.optional(),
  currency: currency.optional(),
  duration: z.enum(['forever', 'once', 'repeating']).default('once'),
  duration_in_months: count.optional(),
  max_redemptions: count.optional(),
  metadata: metadata.optional(),
  name: word.max(40).optional(),
  redeem_by: int.optional(),
});

async function createCoupon(books: Books, given: z.output<typeof couponFields>): Promise<Stripe.Coupon> {
  if (given.percent_off === undefined && given.amount_off === undefined)
    throw invalid('percent_off', 'Must provide percent_off or amount_off.', 'parameter_missing');
  if (given.amount_off !== undefined && given.currency === undefined)
    throw invalid('currency', 'Must provide currency with amount_off.', 'parameter_missing');
  if (given.duration === 'repeating' && given.duration_in_months === undefined)
    throw invalid('duration_in_months', 'Missing required param: duration_in_months.', 'parameter_missing');
  const couponId = given.id ?? newWord().slice(0, 8);
  if (await books.find('coupon', couponId))
    throw invalid('id', 'Coupon already exists.', 'resource_already_exists');
  const coupon: Stripe.Coupon = {
    id: couponId,
    object: 'coupon',
    amount_off: given.amount_off ?? null,
    created: books.now,
    currency: given.currency ?? null,
    duration: given.duration,
    duration_in_months: given.duration_in_months ?? null,
    livemode: false,
    max_redemptions: given.max_redemptions ?? null,
    metadata: mergeMetadata({}, given.metadata),
    name: given.name ?? null,
    percent_off: given.percent_off ?? null,
    redeem_by: given.redeem_by ?? null,
    times_redeemed: 0,
    valid: true,
  };
  await books.put(coupon);
  await books.emit('coupon.created', coupon);
  return coupon;
}

const codeFields = z.strictObject({
  ...anything,
  promotion: z.strictObject({ type: z.literal('coupon'), coupon: id }),
  code: z
    .string()
    .regex(/^[\w-]{1,100}$/)
    .optional(),
  active: flag.optional(),
  customer: id.optional(),
  expires_at: int.optional(),
  max_redemptions: count.optional(),
  metadata: metadata.optional(),
});

async function createCode(books: Books, given: z.output<typeof codeFields>): Promise<Stripe.PromotionCode> {
  await books.get('coupon', given.promotion.coupon, 'promotion[coupon]');
  const code = given.code ?? newWord().slice(0, 8).toUpperCase();
  if (await codeNamed(books, code))
    throw invalid(
      'code',
      'An active promotion code with this code already exists.',
      'resource_already_exists',
    );
  const promotion: Stripe.PromotionCode = {
    id: newId('promotion_code'),
    object: 'promotion_code',
    active: given.active ?? true,
    code,
    created: books.now,
    customer: given.customer ?? null,
    customer_account: null,
    expires_at: given.expires_at ?? null,
    livemode: false,
    max_redemptions: given.max_redemptions ?? null,
    metadata: mergeMetadata({}, given.metadata),
    promotion: { type: 'coupon', coupon: given.promotion.coupon },
    restrictions: { first_time_transaction: false, minimum_amount: null, minimum_amount_currency: null },
    times_redeemed: 0,
  };
  await books.put(promotion);
  await books.emit('promotion_code.created', promotion);
  return promotion;
}

/** Codes are case-insensitive. */
export async function codeNamed(books: Books, code: string): Promise<Stripe.PromotionCode | undefined> {
  const { data } = await books.list('promotion_code', { active: true });
  return data.find((each) => each.code.toLowerCase() === code.toLowerCase() && isCodeUsable(each, books.now));
}

function isCodeUsable(
  { expires_at: end, max_redemptions: max, times_redeemed: times }: Stripe.PromotionCode,
  now: number,
) {
  return (end === null || end > now) && (max === null || times < max);
}

/** Whether a code still gives its discount: since it was typed, others may have used it up, or it may have ended. */
export async function isCodeThere(books: Books, codeId: string): Promise<boolean> {
  const code = await books.find('promotion_code', codeId);
  const isThere = code !== undefined && !('deleted' in code) && code.active && isCodeUsable(code, books.now);
  return isThere && (await usableCoupon(books, couponIdOf(code))) !== undefined;
}

/** The coupon of a code, or undefined if it can't be used now. */
export async function usableCoupon(books: Books, couponId: string): Promise<Stripe.Coupon | undefined> {
  const coupon = await books.find('coupon', couponId);
  if (!coupon || 'deleted' in coupon) return undefined;
  const { redeem_by: end, max_redemptions: max, times_redeemed: times } = coupon;
  return (end === null || end > books.now) && (max === null || times < max) ? coupon : undefined;
}

export function couponIdOf(code: Stripe.PromotionCode): string {
  return idOf(code.promotion.coupon) ?? '';
}

export function discountOf(coupon: Stripe.Coupon | undefined, subtotal: number): number {
  if (!coupon) return 0;
  const off = coupon.amount_off ?? Math.round((subtotal * (coupon.percent_off ?? 0)) / 100);
  return Math.min(off, subtotal);
}

/** Counts a use, and returns how long a subscription keeps it. */
export async function redeem(
  books: Books,
  coupon: Stripe.Coupon,
  code: string | null,
): Promise<Hidden['coupon']> {
  await books.put({ ...coupon, times_redeemed: coupon.times_redeemed + 1 });
  const promotion = code === null ? undefined : await books.find('promotion_code', code);
  if (promotion) await books.put({ ...promotion, times_redeemed: promotion.times_redeemed + 1 });
  const months = coupon.duration_in_months;
  const until = months === null ? null : addInterval(books.now, 'month', months, books.now);
  return { id: coupon.id, until, isOnce: coupon.duration === 'once' };
}

export const discountRoutes: Route[] = [
  route('POST', '/v1/coupons', couponFields, createCoupon),
  route('GET', '/v1/coupons', z.strictObject(listing), async (books, input) =>
    listOf('/v1/coupons', await books.list('coupon', {}, input)),
  ),
  route('GET', '/v1/coupons/:id', z.strictObject(anything), (books, _input, { id }) =>
    books.get('coupon', id),
  ),
  route('DELETE', '/v1/coupons/:id', z.strictObject({}), async (books, _input, { id }) => {
    const coupon = await books.get('coupon', id);
    await books.remove('coupon', id);
    await books.emit('coupon.deleted', coupon);
    return { id, object: 'coupon', deleted: true };
  }),
  route('POST', '/v1/promotion_codes', codeFields, createCode),
  route(
    'GET',
    '/v1/promotion_codes',
    z.strictObject({ ...listing, code: word.optional(), active: flag.optional() }),
    async (books, { code, active, ...page }) =>
      listOf('/v1/promotion_codes', await books.list('promotion_code', { code, active }, page)),
  ),
  route('GET', '/v1/promotion_codes/:id', z.strictObject(anything), (books, _input, { id }) =>
    books.get('promotion_code', id),
  ),
  route(
    'POST',
    '/v1/promotion_codes/:id',
    z.strictObject({ ...anything, active: flag }),
    async (books, input, { id }) => {
      const code = { ...(await books.get('promotion_code', id)), active: input.active };
      await books.put(code);
      await books.emit('promotion_code.updated', code, { active: !input.active });
      return code;
    },
  ),
];
