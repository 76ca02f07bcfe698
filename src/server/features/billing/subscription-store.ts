import { and, eq, sql } from 'drizzle-orm';
import type { CreditStop, PlanType } from '../../../contract/plans.ts';
import { beyondPlan, monthOf, planCredits } from '../../access/credits.ts';
import { lockPlan } from '../../access/quota.ts';
import { PAYMENT_GRACE_DAYS } from '../../../contract/limits.ts';
import { member, organization, planSubscription, user } from '../../db/schema/index.ts';
import type { Config } from '../../config/config.ts';
import type { Database, Tx } from '../../db/scope.ts';

export type StoredSubscription = typeof planSubscription.$inferSelect;

/** Until the transaction ends, nobody else chooses a plan for this organization. */
export async function lockChoice(tx: Tx, organizationId: string): Promise<void> {
  await lock(tx, `plan of ${organizationId}`);
}

/**
 * Until the transaction ends, nobody else reads its state at the provider. No row is locked meanwhile, so that nobody
 * waits for the provider, and deleting the organization takes its row locks in the same order as writing what was read.
 */
export async function lockReading(tx: Tx, organizationId: string): Promise<void> {
  await lock(tx, `subscription of ${organizationId}`);
}

async function lock(tx: Tx, name: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

export async function findSubscription(
  tx: Tx,
  organizationId: string,
): Promise<StoredSubscription | undefined> {
  const [found] = await tx
    .select()
    .from(planSubscription)
    .where(eq(planSubscription.organizationId, organizationId));
  return found;
}

/** An organization has one customer; one deleted at the provider is replaced by another. */
export async function keepCustomer(
  tx: Tx,
  organizationId: string,
  customerId: string,
): Promise<StoredSubscription> {
  const fresh = { customerId, sessionId: null, subscriptionId: null };
  const [kept] = await tx
    .insert(planSubscription)
    .values({ organizationId, customerId })
    .onConflictDoUpdate({ target: planSubscription.organizationId, set: fresh })
    .returning();
  return kept as StoredSubscription;
}

export async function updateSubscription(
  tx: Tx,
  organizationId: string,
  changes: Partial<Omit<StoredSubscription, 'organizationId' | 'customerId'>>,
): Promise<void> {
  await tx.update(planSubscription).set(changes).where(eq(planSubscription.organizationId, organizationId));
}

export async function setPlan(
  tx: Tx,
  config: Pick<Config, 'billing'>,
  organizationId: string,
  planType: PlanType,
): Promise<void> {
  if ((await lockPlan(tx, organizationId)) === planType) return;
  await keepIncluded(tx, config, organizationId);
  await tx.update(organization).set({ planType }).where(eq(organization.id, organizationId));
}

export async function setStop(
  tx: Tx,
  config: Pick<Config, 'billing'>,
  organizationId: string,
  stop: { creditStop: CreditStop; stopMessage: string | null },
): Promise<void> {
  await keepIncluded(tx, config, organizationId);
  await tx.update(organization).set(stop).where(eq(organization.id, organizationId));
}

/**
 * What the plan and its soft stop have given a month so far stays with that month, so that its answers don't count as
 * more than it had. A past month is settled by it: the next may have begun with another plan before that happened.
 */
async function keepIncluded(
  tx: Tx,
  { billing }: Pick<Config, 'billing'>,
  organizationId: string,
): Promise<void> {
  if (billing.mode === 'off') return;
  const ofPlan = planCredits(billing.plans);
  await tx.execute(sql`
    update credit_usage u set included = greatest(u.included, ${ofPlan}),
        bonus_used = case when u.month < ${monthOf(new Date())} and u.reserved = 0 then ${beyondPlan(ofPlan)} end
      from organization o where o.id = ${organizationId} and u.organization_id = o.id and u.bonus_used is null`);
}

/** Whose customer this is; undefined if nobody's. Says nothing about who may know. */
export async function organizationOfCustomer(tx: Tx, customerId: string): Promise<string | undefined> {
  const { rows } = await tx.execute<{ id: string | null }>(
    sql`select organization_of_customer(${customerId}) as id`,
  );
  return rows[0]?.id ?? undefined;
}

const READ_EVERY = '1 day';

/**
 * Organizations whose subscription hasn't been read for a day, or whose grace period has ended since; each is taken by
 * one process. Runs as the owner, because it looks at every organization.
 */
export async function takeUnread({ owner }: Pick<Database, 'owner'>, most: number): Promise<string[]> {
  const { rows } = await owner.query<{ id: string }>(
    `update plan_subscription set read_at = now() where organization_id in (
       select organization_id from plan_subscription
        where read_at < now() - interval '${READ_EVERY}'
           or (past_due_since + make_interval(days => $1) between read_at and now())
        order by read_at limit $2 for update skip locked)
     returning organization_id as id`,
    [PAYMENT_GRACE_DAYS, most],
  );
  return rows.map(({ id }) => id);
}

/** A failed read is retried in ten minutes rather than at the regular interval. */
export async function readSoon(tx: Tx, organizationId: string): Promise<void> {
  await tx
    .update(planSubscription)
    .set({ readAt: sql`now() - ${READ_EVERY}::interval + interval '10 minutes'` })
    .where(eq(planSubscription.organizationId, organizationId));
}

/** The email addresses of an organization's owners. */
export async function ownersMail(tx: Tx, organizationId: string): Promise<string[]> {
  const rows = await tx
    .select({ email: user.email })
    .from(member)
    .innerJoin(user, eq(user.id, member.userId))
    .where(
      and(eq(member.organizationId, organizationId), eq(member.role, 'owner'), eq(user.emailVerified, true)),
    );
  return rows.flatMap(({ email }) => (email === null ? [] : [email]));
}
