import type { coupon as contract } from '../../../../contract/coupon.ts';
import { inOrganization } from '../../../access/gate.ts';
import { AppError, notFound } from '../../../app-error.ts';
import type { Handlers, MemberCaller } from '../../../call.ts';
import { decodeCursor, encodeCursor } from '../../../cursor.ts';
import type { Deps } from '../../../deps.ts';
import { reach } from '../../../payment/reach.ts';
import { recordAudit } from '../../audit/store.ts';
import { findAccount } from '../connect-store.ts';
import { couponsOf, findCodes, makeCode } from './codes.ts';

export function couponHandlers({ db, payments: { stripe } }: Deps): Handlers<typeof contract> {
  const own = 'organization.own';

  /** The account of an organization the caller owns; undefined: none yet. */
  const accountOf = async (caller: MemberCaller, organizationId: string) => {
    const found = await inOrganization(db, caller, organizationId, own, (tx) =>
      findAccount(tx, organizationId),
    );
    return found?.accountId ?? undefined;
  };

  return {
    list: async ({ organizationId, cursor, count, search }, caller) => {
      const after = decodeCursor(cursor, readCode);
      const stripeAccount = await accountOf(caller, organizationId);
      if (stripeAccount === undefined) return { coupons: [], nextCursor: null };
      const { codes, last } = await findCodes(stripe, stripeAccount, { count, after, search });
      return { coupons: codes.flatMap(couponsOf), nextCursor: last ? encodeCursor([last]) : null };
    },

    create: async ({ organizationId, ...given }, caller, context) => {
      const stripeAccount = await accountOf(caller, organizationId);
      if (stripeAccount === undefined) throw new AppError('payment/account-needed');
      const made = await makeCode(stripe, stripeAccount, given);
      const [coupon] = couponsOf(made);
      if (!coupon) throw new AppError('payment/unavailable');
      await inOrganization(db, caller, organizationId, own, (tx) =>
        recordAudit(tx, caller, context, {
          organizationId,
          action: 'coupon.create',
          target: { id: coupon.id, name: coupon.code },
          after: { percentOff: given.percentOff, duration: given.duration },
        }),
      );
      return { coupon };
    },

    remove: async ({ organizationId, id }, caller, context) => {
      const stripeAccount = await accountOf(caller, organizationId);
      if (stripeAccount === undefined) throw notFound();
      const { code } = await reach(stripe.promotionCodes.update(id, { active: false }, { stripeAccount }));
      await inOrganization(db, caller, organizationId, own, (tx) =>
        recordAudit(tx, caller, context, {
          organizationId,
          action: 'coupon.remove',
          target: { id, name: code },
          before: { code },
        }),
      );
      return { deleted: true };
    },
  };
}

function readCode(place: unknown): string | undefined {
  const [id] = Array.isArray(place) && place.length === 1 ? (place as unknown[]) : [];
  return typeof id === 'string' && /^promo_\w{1,250}$/.test(id) ? id : undefined;
}
