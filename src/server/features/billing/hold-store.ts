import { and, eq, sql, type SQL } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { CREDITS_AN_ANSWER, creditLimit, monthOf, NO_CREDIT_LEFT } from '../../access/credits.ts';
import { AppError } from '../../app-error.ts';
import type { Config } from '../../config/config.ts';
import { creditHold } from '../../db/schema/index.ts';
import type { Database, Tx } from '../../db/scope.ts';

interface Hold {
  id: number;
  organizationId: string;
}

/** Longer than anything that holds a credit can take: a request or job has been abandoned by then. */
const FORGOTTEN_AFTER_MINUTES = 60;

/** Takes the cost of one answer. Undefined if nothing is counted. Errors: 402 when none are left this month. */
export async function holdCredit(
  tx: Tx,
  config: Pick<Config, 'billing'>,
  organizationId: string,
): Promise<Hold | undefined> {
  const month = monthOf(new Date());
  const limit = creditLimit(config, sql`${organizationId}`);
  if (!limit) return undefined;
  const taken = await tx.execute(sql`
    insert into credit_usage (organization_id, month, used)
    select ${organizationId}, ${month}, ${CREDITS_AN_ANSWER}::int where ${limit} >= ${CREDITS_AN_ANSWER}
    on conflict (organization_id, month) do update set used = credit_usage.used + excluded.used
      where credit_usage.used + credit_usage.reserved + excluded.used <= ${limit}
    returning 1`);
  if (taken.rows.length === 0) throw new AppError('quota/exceeded', NO_CREDIT_LEFT);
  const [held] = await tx
    .insert(creditHold)
    .values({ organizationId, month })
    .returning({ id: creditHold.id });
  return held && { id: held.id, organizationId };
}

/** The work succeeded. */
export async function keepCredit(tx: Tx, { id, organizationId }: Hold): Promise<void> {
  await tx
    .delete(creditHold)
    .where(and(eq(creditHold.organizationId, organizationId), eq(creditHold.id, id)));
}

/** The work came to nothing: the credit is returned to the month it was taken from, which may be over. */
export async function returnCredit(tx: Tx, { id, organizationId }: Hold): Promise<void> {
  await tx.execute(sql`
    with back as (delete from credit_hold where organization_id = ${organizationId} and id = ${id} returning organization_id, month)
    update credit_usage u set ${lessened(sql`${CREDITS_AN_ANSWER}::int`)} from back
     where u.organization_id = back.organization_id and u.month = back.month`);
}

/** A month `u` with fewer credits used. If it is closed, they come off what it took from the bonus, which is spent last. */
function lessened(credits: SQL): SQL {
  return sql`used = greatest(u.used - ${credits}, 0),
    bonus_used = case when u.bonus_used is not null then greatest(u.bonus_used - ${credits}, 0) end`;
}

/** Returns credits held by processes that died. Runs as the owner. */
export async function returnForgotten({ owner }: Pick<Database, 'owner'>): Promise<void> {
  await drizzle({ client: owner }).execute(sql`
    with back as (
      delete from credit_hold where created_at < now() - make_interval(mins => ${FORGOTTEN_AFTER_MINUTES}::int)
      returning organization_id, month),
    summed as (select organization_id, month, count(*)::int as held from back group by 1, 2)
    update credit_usage u set ${lessened(sql`summed.held * ${CREDITS_AN_ANSWER}::int`)} from summed
     where u.organization_id = summed.organization_id and u.month = summed.month`);
}
