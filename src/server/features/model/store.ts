import { and, asc, eq, sql } from 'drizzle-orm';
import type { ModelProviderName } from '../../../contract/model.ts';
import { theOne } from '../../db/rows.ts';
import { modelProvider } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';

export type StoredProvider = typeof modelProvider.$inferSelect;
export type ProviderValues = Pick<
  StoredProvider,
  'baseUrl' | 'apiKey' | 'apiKeyPreview' | 'models' | 'prices'
>;

const is = (organizationId: string, provider: ModelProviderName) =>
  and(eq(modelProvider.organizationId, organizationId), eq(modelProvider.provider, provider));

export async function listProviders(tx: Tx, organizationId: string): Promise<StoredProvider[]> {
  return tx
    .select()
    .from(modelProvider)
    .where(eq(modelProvider.organizationId, organizationId))
    .orderBy(asc(modelProvider.provider));
}

export async function findProvider(
  tx: Tx,
  organizationId: string,
  provider: ModelProviderName,
): Promise<StoredProvider | undefined> {
  const [found] = await tx.select().from(modelProvider).where(is(organizationId, provider));
  return found;
}

export async function insertProvider(
  tx: Tx,
  values: ProviderValues & Pick<StoredProvider, 'id' | 'organizationId' | 'provider'>,
): Promise<StoredProvider> {
  const [made] = await tx.insert(modelProvider).values(values).returning();
  return made as StoredProvider;
}

export async function updateProvider(
  tx: Tx,
  { organizationId, provider }: StoredProvider,
  values: ProviderValues,
): Promise<StoredProvider> {
  const changed = await tx
    .update(modelProvider)
    .set({ ...values, updatedAt: sql`now()` })
    .where(is(organizationId, provider))
    .returning();
  return theOne(changed);
}

/** The account itself doesn't change, so its known health is kept. Undefined if there is none. */
export async function setPrices(
  tx: Tx,
  { organizationId, provider }: Pick<StoredProvider, 'organizationId' | 'provider'>,
  prices: StoredProvider['prices'],
): Promise<StoredProvider | undefined> {
  const [changed] = await tx
    .update(modelProvider)
    .set({ prices })
    .where(is(organizationId, provider))
    .returning();
  return changed;
}

/** Undefined if there is none. */
export async function deleteProvider(
  tx: Tx,
  organizationId: string,
  provider: ModelProviderName,
): Promise<StoredProvider | undefined> {
  const [gone] = await tx.delete(modelProvider).where(is(organizationId, provider)).returning();
  return gone;
}
