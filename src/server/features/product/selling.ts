import type { coupon } from '../../../contract/coupon.ts';
import type { connect, earning, product, purchase } from '../../../contract/product.ts';
import type { Handlers } from '../../call.ts';
import type { Deps } from '../../deps.ts';
import { followAccounts } from './connect/follow.ts';
import { connectHandlers } from './connect/handlers.ts';
import { couponHandlers } from './coupon/handlers.ts';
import { earningHandlers } from './earning.ts';
import { followPurchases } from './follow.ts';
import { productHandlers } from './handlers.ts';
import { purchaseHandlers } from './purchase/handlers.ts';
import type { MergeGuest } from './upgrade.ts';

interface SellingHandlers {
  connect: Handlers<typeof connect>;
  product: Handlers<typeof product>;
  purchase: Handlers<typeof purchase>;
  earning: Handlers<typeof earning>;
  coupon: Handlers<typeof coupon>;
}

export function sellingHandlers(deps: Deps, mergeGuest: MergeGuest): SellingHandlers {
  return {
    connect: connectHandlers(deps),
    product: productHandlers(deps),
    purchase: purchaseHandlers(deps, mergeGuest),
    earning: earningHandlers(deps),
    coupon: couponHandlers(deps),
  };
}

/** Provider events take effect from now on. */
export function followSales(deps: Pick<Deps, 'db' | 'log' | 'payments'>): void {
  followAccounts(deps);
  followPurchases(deps);
}
