import { and, eq, sql } from 'drizzle-orm';
import { connectAccount, product } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';

/** Every statement on the accounts to which end users pay. */

export type ConnectAccount = typeof connectAccount.$inferSelect;
export type AccountFacts = Pick<ConnectAccount, 'chargesEnabled' | 'requirements'>;

const of = (organizationId: string) => eq(connectAccount.organizationId, organizationId);

export async function findAccount(tx: Tx, organizationId: string): Promise<ConnectAccount | undefined> {
  const [found] = await tx.select().from(connectAccount).where(of(organizationId));
  return found;
}

/** Where there is none yet, the row that one will be written into. */
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

/** What the provider says of the account now; an account that is not this organization's any more changes nothing. */
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

/** It is not ours to use any more: prices that it has are nobody's, and the next account is another one. */
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

/** Whose account it is; undefined: nobody's here. */
export async function organizationOfAccount(
  run: Pick<Tx, 'execute'>,
  accountId: string,
): Promise<string | undefined> {
  const { rows } = await run.execute<{ id: string | null }>(
    sql`select organization_of_connect_account(${accountId}) as id`,
  );
  return rows[0]?.id ?? undefined;
}
