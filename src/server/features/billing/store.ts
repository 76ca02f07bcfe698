import { and, eq } from 'drizzle-orm';
import type { PlanType } from '../../../contract/plans.ts';
import { notFound } from '../../app-error.ts';
import { creditUsage, organization } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';

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
