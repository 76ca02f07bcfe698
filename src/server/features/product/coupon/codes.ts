import Stripe from 'stripe';
import type { Coupon, coupon as contract } from '../../../../contract/coupon.ts';
import type { ParsedInputOf } from '../../../../contract/route.ts';
import { invalidField } from '../../../app-error.ts';
import { reach } from '../../../payment/reach.ts';

type Given = Omit<ParsedInputOf<typeof contract.create>, 'organizationId'>;

/** Creates the coupon and its code at the provider; if the code fails, the coupon is not left behind. */
export async function makeCode(
  stripe: Stripe,
  stripeAccount: string,
  { code, percentOff, duration, months, usesMax, expiresAt }: Given,
): Promise<Stripe.PromotionCode> {
  if ((duration === 'months') !== (months !== undefined))
    throw invalidField('months', 'Enter the number of months, or choose another duration.');
  const expires = expiresAt === undefined ? undefined : Math.floor(Date.parse(expiresAt) / 1000);
  if (expires !== undefined && expires * 1000 <= Date.now())
    throw invalidField('expiresAt', 'This is in the past.');
  const at = { stripeAccount };
  const known = await reach(stripe.promotionCodes.list({ code, active: true, limit: 1 }, at));
  if (known.data.length > 0) throw invalidField('code', 'This code already exists.');
  const coupon = await reach(
    stripe.coupons.create(
      {
        percent_off: percentOff,
        duration: providerDurations[duration],
        ...(months === undefined ? {} : { duration_in_months: months }),
      },
      at,
    ),
  );
  try {
    return await reach(
      stripe.promotionCodes.create(
        {
          promotion: { type: 'coupon', coupon: coupon.id },
          code,
          expand: ['promotion.coupon'],
          ...(usesMax === undefined ? {} : { max_redemptions: usesMax }),
          ...(expires === undefined ? {} : { expires_at: expires }),
        },
        at,
      ),
    );
  } catch (error) {
    await stripe.coupons.del(coupon.id, {}, at).catch(() => undefined);
    throw isRefused(error) ? invalidField('code', 'This code already exists.') : error;
  }
}

const READ_AT_ONCE = 100;
const READS_MAX = 10;

/**
 * Newest first, starting after the given ID. The provider matches whole codes only, so codes that contain the search
 * text are filtered here; reads per page are bounded, and `last` is where the next page starts.
 */
export async function findCodes(
  stripe: Stripe,
  stripeAccount: string,
  { count, after, search = '' }: { count: number; after?: string | undefined; search?: string | undefined },
): Promise<{ codes: Stripe.PromotionCode[]; last?: string | undefined }> {
  const wanted = search.trim().toLowerCase();
  const codes: Stripe.PromotionCode[] = [];
  let place = after;
  for (let read = 0; read < READS_MAX; read += 1) {
    const { data, has_more: hasMore } = await reach(
      stripe.promotionCodes.list(
        {
          limit: wanted === '' ? count : READ_AT_ONCE,
          expand: ['data.promotion.coupon'],
          ...(place === undefined ? {} : { starting_after: place }),
        },
        { stripeAccount },
      ),
    );
    for (const [at, found] of data.entries()) {
      place = found.id;
      if (found.code.toLowerCase().includes(wanted)) codes.push(found);
      if (codes.length === count) return { codes, last: hasMore || at < data.length - 1 ? place : undefined };
    }
    if (!hasMore) return { codes };
  }
  return { codes, last: place };
}

/** The same code in different case, or one created concurrently: everything else was checked before. */
function isRefused(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof Stripe.errors.StripeInvalidRequestError;
}

const providerDurations = { once: 'once', months: 'repeating', always: 'forever' } as const;

/** Empty if the coupon is gone. */
export function couponsOf(found: Stripe.PromotionCode): Coupon[] {
  const { id, code, active, times_redeemed: uses, max_redemptions: usesMax, promotion, created } = found;
  const { coupon } = promotion;
  if (coupon === null || typeof coupon === 'string') return [];
  const duration =
    coupon.duration === 'repeating' ? 'months' : coupon.duration === 'forever' ? 'always' : 'once';
  return [
    {
      id,
      code,
      percentOff: coupon.percent_off,
      amountOff: coupon.amount_off,
      currency: coupon.currency,
      duration,
      months: coupon.duration_in_months,
      isActive: active,
      uses,
      usesMax,
      expiresAt: found.expires_at === null ? null : new Date(found.expires_at * 1000).toISOString(),
      createdAt: new Date(created * 1000).toISOString(),
    },
  ];
}
