import { and, eq, sql } from 'drizzle-orm';
import type { PlanType } from '../../../contract/plans.ts';
import { CREDITS_AN_ANSWER, creditLimit, monthOf } from '../../access/credits.ts';
import { AppError, notFound } from '../../app-error.ts';
import type { Config } from '../../config.ts';
import { creditUsage, organization } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';

/** Takes what one answer costs. Errors: 402 when the month has none left. */
export async function spendCredit(
  tx: Tx,
  config: Pick<Config, 'billing'>,
  organizationId: string,
): Promise<void> {
  const limit = creditLimit(config, sql`${organizationId}`);
  if (!limit) return;
  const taken = await tx.execute(sql`
    insert into credit_usage (organization_id, month, used)
    select ${organizationId}, ${monthOf(new Date())}, ${CREDITS_AN_ANSWER}::int where ${limit} >= ${CREDITS_AN_ANSWER}
    on conflict (organization_id, month) do update set used = credit_usage.used + excluded.used
      where credit_usage.used + credit_usage.reserved + excluded.used <= ${limit}
    returning 1`);
  if (taken.rows.length === 0) throw new AppError('quota/exceeded');
}

/** Gives it back: nothing came of it. */
export async function returnCredit(
  tx: Tx,
  { billing }: Pick<Config, 'billing'>,
  organizationId: string,
): Promise<void> {
  if (billing.mode === 'off') return;
  await tx
    .update(creditUsage)
    .set({ used: sql`greatest(${creditUsage.used} - ${CREDITS_AN_ANSWER}, 0)` })
    .where(and(eq(creditUsage.organizationId, organizationId), eq(creditUsage.month, monthOf(new Date()))));
}

/** The plan of an organization and what it has used of it in that month (`2026-11`, UTC). */
export async function readUsage(
  tx: Tx,
  organizationId: string,
  month: string,
): Promise<{ planType: PlanType; used: number; reserved: number }> {
  const [found] = await tx
    .select({ planType: organization.planType, used: creditUsage.used, reserved: creditUsage.reserved })
    .from(organization)
    .leftJoin(creditUsage, and(eq(creditUsage.organizationId, organization.id), eq(creditUsage.month, month)))
    .where(eq(organization.id, organizationId));
  if (!found) throw notFound();
  return { planType: found.planType, used: found.used ?? 0, reserved: found.reserved ?? 0 };
}
