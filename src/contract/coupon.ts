import * as z from 'zod';
import { nextCursor, page, Search, text, Timestamp } from './common.ts';
import { idOf } from './id.ts';
import { COUPON_CODE_MAX_CHARACTERS, COUPON_MONTHS_MAX, COUPON_USES_MAX } from './limits.ts';
import { route } from './route.ts';

/** `once`: on the first payment. `months`: for the first N months. `always`: on every renewal. */
export const couponDurations = ['once', 'months', 'always'] as const;

/** Created by the organization, or directly at the provider. */
export const Coupon = z.object({
  /** The provider's id. */
  id: z.string(),
  /** What people type at checkout; case doesn't matter. */
  code: z.string(),
  /** One of the two is null. Amounts are in the currency's smallest unit. */
  percentOff: z.number().nullable(),
  amountOff: z.number().int().nullable(),
  currency: z.string().nullable(),
  duration: z.enum(couponDurations),
  months: z.number().int().nullable(),
  isActive: z.boolean(),
  uses: z.number().int(),
  usesMax: z.number().int().nullable(),
  expiresAt: Timestamp.nullable(),
  createdAt: Timestamp,
});
export type Coupon = z.infer<typeof Coupon>;

const ofOrganization = { organizationId: idOf('organization') };

/** Discount codes for what an organization sells. They live at the provider, in the organization's own account. */
export const coupon = {
  /** Newest first. Empty without an account. `search`: in the code; a page may be partly filled although more results follow. */
  list: route({
    method: 'GET',
    path: '/v1/billing/coupon',
    summary: 'Promotion codes',
    input: z.strictObject({ ...ofOrganization, cursor: page.cursor, count: page.count, search: Search }),
    output: z.object({ coupons: z.array(Coupon), nextCursor }),
  }),
  /** Errors: 400 for a code that already exists, 409 `payment/account-needed`. */
  create: route({
    method: 'POST',
    path: '/v1/billing/coupon',
    summary: 'Create a promotion code',
    input: z.strictObject({
      ...ofOrganization,
      code: text(COUPON_CODE_MAX_CHARACTERS, 3).regex(/^[A-Za-z0-9-]+$/, 'Letters, digits and hyphens only.'),
      percentOff: z.number().int().min(1).max(100),
      duration: z.enum(couponDurations).default('once'),
      /** With `months`. */
      months: z.number().int().min(1).max(COUPON_MONTHS_MAX).optional(),
      usesMax: z.number().int().min(1).max(COUPON_USES_MAX).optional(),
      expiresAt: Timestamp.optional(),
    }),
    output: z.object({ coupon: Coupon }),
  }),
  /** It can no longer be used; people who have used it keep their discount. */
  remove: route({
    method: 'DELETE',
    path: '/v1/billing/coupon/{id}',
    summary: 'End a promotion code',
    input: z.strictObject({ ...ofOrganization, id: text(255, 1) }),
    output: z.object({ deleted: z.literal(true) }),
  }),
};
