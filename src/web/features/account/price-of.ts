import type { PlanNumbers } from '../../../contract/billing.ts';
import { formatMoney } from '../../format-money.ts';

/** A plan's price per month. */
export const priceOf = ({ priceUsdAMonth }: PlanNumbers) =>
  formatMoney(Math.round(priceUsdAMonth * 100), 'usd', { whole: Number.isInteger(priceUsdAMonth) });
