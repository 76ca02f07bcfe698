import { eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { REFERRAL_CODE_CHARACTERS, REFERRAL_CREDITS } from '../../../contract/limits.ts';
import { beyondPlan, monthOf, planCredits } from '../../access/credits.ts';
import type { Config } from '../../config/config.ts';
import { organization, user } from '../../db/schema/index.ts';
import type { Database, Tx } from '../../db/scope.ts';
import { newSecret } from '../../identity/secrets.ts';

/** The code of a person's referral link, which never changes. */
export async function ensureCode(tx: Tx, userId: string): Promise<string> {
  const fresh = newSecret().slice(0, REFERRAL_CODE_CHARACTERS);
  const [found] = await tx
    .update(user)
    .set({ referralCode: sql`coalesce(${user.referralCode}, ${fresh})` })
    .where(eq(user.id, userId))
    .returning({ code: user.referralCode });
  return found?.code ?? fresh;
}

/**
 * How many organizations have come through this person's link, and how many of them were rewarded. The transaction acts
 * for them.
 */
export async function countReferrals(tx: Tx, userId: string): Promise<{ came: number; rewarded: number }> {
  const { rows } = await tx.execute<{ came: number; rewarded: number }>(
    sql`select came, rewarded from referrals_of(${userId})`,
  );
  return rows[0] ?? { came: 0, rewarded: 0 };
}

/** Records whose link an organization came through. An unknown code, or one's own, is ignored. */
export async function keepReferral(
  tx: Tx,
  { organizationId, createdBy, code }: { organizationId: string; createdBy: string; code: string },
): Promise<void> {
  const [referrer] = await tx.select({ id: user.id }).from(user).where(eq(user.referralCode, code));
  if (!referrer || referrer.id === createdBy) return;
  await tx.update(organization).set({ referredBy: referrer.id }).where(eq(organization.id, organizationId));
}

/** Once per organization: both have the credits as of the end of the transaction. */
export async function rewardReferral(tx: Tx, organizationId: string): Promise<void> {
  await tx.execute(sql`select reward_referral(${organizationId}, ${REFERRAL_CREDITS}::int)`);
}

/** Settles how much past months took from a bonus, by their last plan. Runs as the owner. */
export async function closeMonths(
  { owner }: Pick<Database, 'owner'>,
  { billing }: Pick<Config, 'billing'>,
): Promise<void> {
  if (billing.mode === 'off') return;
  await drizzle({ client: owner }).execute(sql`
    update credit_usage u set bonus_used = ${beyondPlan(planCredits(billing.plans))} from organization o
     where o.id = u.organization_id and u.bonus_used is null and u.reserved = 0 and u.month < ${monthOf(new Date())}`);
}
