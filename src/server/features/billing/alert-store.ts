import type { PlanType } from '../../../contract/plans.ts';
import { usageAlert } from '../../db/schema/index.ts';
import type { Database, Tx } from '../../db/scope.ts';

/**
 * Organizations that have used credits this month and were not told of all of them yet. Runs as the owner, because it looks at
 * every organization.
 */
export async function listUsing(
  { owner }: Pick<Database, 'owner'>,
  month: string,
): Promise<{ id: string; planType: PlanType; used: number }[]> {
  const { rows } = await owner.query<{ id: string; planType: PlanType; used: number }>(
    `select o.id, o.plan_type as "planType", u.used from credit_usage u join organization o on o.id = u.organization_id
      where u.month = $1 and u.used > 0 and not exists (
        select from usage_alert a where a.organization_id = o.id and a.month = u.month and a.percent = 100)`,
    [month],
  );
  return rows;
}

/** Those of the parts that are new. */
export async function insertAlerts(
  tx: Tx,
  values: { organizationId: string; month: string; used: number; limit: number },
  percents: number[],
): Promise<number[]> {
  const made = await tx
    .insert(usageAlert)
    .values(percents.map((percent) => ({ ...values, percent })))
    .onConflictDoNothing()
    .returning({ percent: usageAlert.percent });
  return made.map(({ percent }) => percent);
}
