import { and, eq, isNull, sql } from 'drizzle-orm';
import type { AlertKind, PlanType } from '../../../contract/plans.ts';
import { usageAlert } from '../../db/schema/index.ts';
import type { Database, Tx } from '../../db/scope.ts';

/**
 * Organizations that have used credits this month and haven't had all notifications. Runs as the owner, because it
 * looks at every organization.
 */
export async function listUsing(
  { owner }: Pick<Database, 'owner'>,
  month: string,
): Promise<{ id: string; planType: PlanType; used: number }[]> {
  const { rows } = await owner.query<{ id: string; planType: PlanType; used: number }>(
    `select o.id, o.plan_type as "planType", u.used from credit_usage u join organization o on o.id = u.organization_id
      where u.month = $1 and u.used > 0 and not exists (
        select from usage_alert a
         where a.organization_id = o.id and a.kind = 'credits' and a.month = u.month and a.percent = 100)`,
    [month],
  );
  return rows;
}

/** Organizations whose owners are to be emailed. Runs as the owner, for the same reason. */
export async function listUntold({ owner }: Pick<Database, 'owner'>): Promise<string[]> {
  const { rows } = await owner.query<{ id: string }>(
    'select distinct organization_id as id from usage_alert where told_at is null',
  );
  return rows.map(({ id }) => id);
}

export interface Reached {
  kind: AlertKind;
  percent: number;
  used: number;
  limit: number;
}

/**
 * The highest share of each kind that was reached without notification. It counts as sent from now on: once, whoever
 * takes it.
 */
export async function takeUntold(tx: Tx, organizationId: string): Promise<Reached[]> {
  const { kind, percent, used, limit } = usageAlert;
  const taken = await tx
    .update(usageAlert)
    .set({ toldAt: sql`now()` })
    .where(and(eq(usageAlert.organizationId, organizationId), isNull(usageAlert.toldAt)))
    .returning({ kind, percent, used, limit });
  const most = new Map<AlertKind, Reached>();
  for (const reached of taken.toSorted((a, b) => a.percent - b.percent)) most.set(reached.kind, reached);
  return [...most.values()];
}
