import { and, eq, sql } from 'drizzle-orm';
import type { Counts, Usage } from '../../../contract/billing.ts';
import { countables, type PlanType } from '../../../contract/plans.ts';
import { bonusLeft, monthAfter, planCredits } from '../../access/credits.ts';
import { countUsed } from '../../access/quota.ts';
import { notFound } from '../../app-error.ts';
import type { Config } from '../../config/config.ts';
import { creditUsage, organization, planSubscription } from '../../db/schema/index.ts';
import type { Run, Tx } from '../../db/scope.ts';

/** An organization's plan, its usage in that month (`2026-11`, UTC), and its counts of everything. */
export async function readUsage(
  tx: Tx,
  organizationId: string,
  month: string,
): Promise<{ planType: PlanType; used: number; reserved: number; counts: Counts }> {
  const [found] = await tx
    .select({ planType: organization.planType, used: creditUsage.used, reserved: creditUsage.reserved })
    .from(organization)
    .leftJoin(creditUsage, and(eq(creditUsage.organizationId, organization.id), eq(creditUsage.month, month)))
    .where(eq(organization.id, organizationId));
  if (!found) throw notFound();
  const counts = await countUsed(tx, organizationId, countables);
  const { rows } = await tx.execute<{ most: number }>(sql`
    select coalesce(max(tools), 0)::int as most from (
      select count(*) as tools from tool t join agent a on a.id = t.agent_id and a.organization_id = ${organizationId}
       where t.organization_id = ${organizationId} and a.deleted_at is null group by t.agent_id) each`);
  const { planType, used, reserved } = found;
  return {
    planType,
    used: used ?? 0,
    reserved: reserved ?? 0,
    counts: { ...counts, toolsAnAgent: rows[0]?.most ?? 0 },
  };
}

/**
 * What is held is the sum of what answers in progress hold. The row lock keeps anyone from holding or returning credits
 * meanwhile.
 */
export async function countAnew(tx: Tx, organizationId: string): Promise<void> {
  const ofOrganization = eq(creditUsage.organizationId, organizationId);
  await tx.select({ month: creditUsage.month }).from(creditUsage).where(ofOrganization).for('update');
  await tx
    .update(creditUsage)
    .set({
      reserved: sql`(select coalesce(sum(m.reserved), 0) from message m where m.organization_id = ${organizationId}
        and m.reserved > 0 and to_char(m.created_at at time zone 'UTC', 'YYYY-MM') = credit_usage.month)`,
    })
    .where(ofOrganization);
}

export { holdCredit, keepCredit, returnCredit } from './hold-store.ts';
export { keepReferral } from './referral-store.ts';

/** The organization's customer at the payment provider. */
export async function findCustomer(tx: Tx, organizationId: string): Promise<string | undefined> {
  const [found] = await tx
    .select({ customerId: planSubscription.customerId })
    .from(planSubscription)
    .where(eq(planSubscription.organizationId, organizationId));
  return found?.customerId;
}

/** The owner's message for when no credits are left; undefined: the standard text. */
export async function stopMessageIn(
  run: Run,
  { conversationId }: { conversationId: string },
): Promise<string | undefined> {
  const [found] = await run(sql`
    select o.stop_message as message from conversation c join organization o on o.id = c.organization_id
     where c.id = ${conversationId}`);
  return typeof found?.['message'] === 'string' ? found['message'] : undefined;
}

/** How many of the credits that last until used were left when the month began, and how many are left now. */
export async function readBonus(
  tx: Tx,
  { billing }: Pick<Config, 'billing'>,
  organizationId: string,
): Promise<Pick<Usage['credits'], 'bonus' | 'bonusLeft'>> {
  const none = { bonus: 0, bonusLeft: 0 };
  if (billing.mode === 'off') return none;
  const ofPlan = planCredits(billing.plans);
  const { rows } = await tx.execute<typeof none>(
    sql`select ${bonusLeft(ofPlan)} as bonus, ${bonusLeft(ofPlan, monthAfter(new Date()))} as "bonusLeft"
          from organization o where o.id = ${organizationId}`,
  );
  return rows[0] ?? none;
}
