import { and, eq, sql } from 'drizzle-orm';
import { connectAccount, product } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';

/** All statements on the accounts that end users pay into. */

export type ConnectAccount = typeof connectAccount.$inferSelect;
export type AccountFacts = Pick<ConnectAccount, 'chargesEnabled' | 'requirements'>;

const of = (organizationId: string) => eq(connectAccount.organizationId, organizationId);

export async function findAccount(tx: Tx, organizationId: string): Promise<ConnectAccount | undefined> {
  const [found] = await tx.select().from(connectAccount).where(of(organizationId));
  return found;
}

/** If there is no account yet, the row it will be written to. */
export async function ensureAccount(tx: Tx, organizationId: string): Promise<ConnectAccount> {
  await tx.insert(connectAccount).values({ organizationId }).onConflictDoNothing();
  return (await findAccount(tx, organizationId)) as ConnectAccount;
}

export async function setAccount(tx: Tx, organizationId: string, accountId: string): Promise<void> {
  await tx
    .update(connectAccount)
    .set({ accountId, updatedAt: sql`now()` })
    .where(of(organizationId));
}

/** What the provider says about the account now; an account that no longer belongs to this organization changes nothing. */
export async function saveFacts(
  tx: Tx,
  organizationId: string,
  accountId: string,
  facts: AccountFacts,
): Promise<void> {
  await tx
    .update(connectAccount)
    .set({
      ...facts,
      wasReady: sql`${connectAccount.wasReady} or ${facts.chargesEnabled}`,
      updatedAt: sql`now()`,
    })
    .where(and(of(organizationId), eq(connectAccount.accountId, accountId)));
}

/** We can't use it any more: its prices belong to nobody, and the next account is a different one. */
export async function part(tx: Tx, organizationId: string, accountId: string): Promise<void> {
  await tx
    .update(connectAccount)
    .set({
      accountId: null,
      generation: sql`${connectAccount.generation} + 1`,
      chargesEnabled: false,
      wasReady: false,
      requirements: [],
      updatedAt: sql`now()`,
    })
    .where(and(of(organizationId), eq(connectAccount.accountId, accountId)));
  await tx
    .update(product)
    .set({ accountId: null, providerProductId: null, priceId: null })
    .where(and(eq(product.organizationId, organizationId), eq(product.accountId, accountId)));
}

/** The organization the account belongs to; undefined: none here. */
export async function organizationOfAccount(
  run: Pick<Tx, 'execute'>,
  accountId: string,
): Promise<string | undefined> {
  const { rows } = await run.execute<{ id: string | null }>(
    sql`select organization_of_connect_account(${accountId}) as id`,
  );
  return rows[0]?.id ?? undefined;
}
