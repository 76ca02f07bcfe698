import type { InsightSums } from '../../../contract/insight.ts';
import { formatUsd } from '../../format-money.ts';
import { formatShare } from '../../format.ts';
import { t } from '../../messages/t.ts';
import './messages.ts';

/** The cost of the answers, and the share of them whose cost is known. */
export function costOf({ costUsd, priced, unpriced }: InsightSums): string {
  if (priced + unpriced === 0) return '–';
  if (priced === 0) return t('insights.costUnknown');
  const cost = formatUsd(costUsd);
  if (unpriced === 0) return cost;
  return t('insights.costKnownOf', { cost, share: formatShare(priced / (priced + unpriced)) });
}
