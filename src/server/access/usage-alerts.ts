import { USAGE_ALERTS_MIN_LIMIT, USAGE_ALERTS_PERCENT } from '../../contract/limits.ts';
import type { AlertKind } from '../../contract/plans.ts';
import { usageAlert } from '../db/schema/index.ts';
import type { Tx } from '../db/scope.ts';
import { monthOf } from './credits.ts';

interface Used {
  organizationId: string;
  kind: AlertKind;
  limit: number;
  /** Usage at the last check. */
  before: number;
  used: number;
}

/** Records which shares of a plan's limit have been newly reached; the owners are emailed afterwards. */
export async function noteUsed(tx: Tx, { organizationId, kind, limit, before, used }: Used): Promise<void> {
  if (limit < USAGE_ALERTS_MIN_LIMIT) return;
  const month = monthOf(new Date());
  const values = USAGE_ALERTS_PERCENT.filter(
    (percent) => used * 100 >= limit * percent && before * 100 < limit * percent,
  ).map((percent) => ({ organizationId, kind, month, percent, used, limit }));
  if (values.length > 0) await tx.insert(usageAlert).values(values).onConflictDoNothing();
}
