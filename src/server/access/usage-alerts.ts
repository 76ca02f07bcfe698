import { USAGE_ALERTS_MIN_LIMIT, USAGE_ALERTS_PERCENT } from '../../contract/limits.ts';
import type { AlertKind } from '../../contract/plans.ts';
import { usageAlert } from '../db/schema/index.ts';
import type { Tx } from '../db/scope.ts';
import { monthOf } from './credits.ts';

interface Used {
  organizationId: string;
  kind: AlertKind;
  limit: number;
  /** What was used when it was last looked. */
  before: number;
  used: number;
}

/** Writes down which parts of a plan's number are reached now and were not before; the owners are written to afterwards. */
export async function noteUsed(tx: Tx, { organizationId, kind, limit, before, used }: Used): Promise<void> {
  if (limit < USAGE_ALERTS_MIN_LIMIT) return;
  const month = monthOf(new Date());
  const values = USAGE_ALERTS_PERCENT.filter(
    (percent) => used * 100 >= limit * percent && before * 100 < limit * percent,
  ).map((percent) => ({ organizationId, kind, month, percent, used, limit }));
  if (values.length > 0) await tx.insert(usageAlert).values(values).onConflictDoNothing();
}
