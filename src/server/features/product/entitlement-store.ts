import { and, eq, sql } from 'drizzle-orm';
import type { PaymentConfig } from '../../../contract/product.ts';
import { moveCredits, openStates } from '../../access/entitlement.ts';
import { entitlement, ledgerEntry } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';
import type { StoredPurchase } from './purchase-store.ts';

/** All statements that grant and revoke entitlements; their use is in `access/entitlement.ts`. */

export type StoredEntitlement = typeof entitlement.$inferSelect;
type State = StoredEntitlement['state'];

const DAY_MS = 86_400_000;

const isIt = ({ organizationId, id }: Pick<StoredEntitlement, 'organizationId' | 'id'>) =>
  and(eq(entitlement.organizationId, organizationId), eq(entitlement.id, id));

export async function lockEntitlement(
  tx: Tx,
  { organizationId, id }: Pick<StoredPurchase, 'organizationId' | 'id'>,
): Promise<StoredEntitlement | undefined> {
  const [found] = await tx
    .select()
    .from(entitlement)
    .where(and(eq(entitlement.organizationId, organizationId), eq(entitlement.purchaseId, id)))
    .for('update');
  return found;
}

/** Grants what was bought, starting now. */
export async function giveEntitlement(
  tx: Tx,
  { organizationId, agentId, id: purchaseId, terms }: StoredPurchase,
  userId: string,
  given: Partial<Pick<StoredEntitlement, 'state' | 'periodStart' | 'endsAt' | 'renews'>> = {},
): Promise<void> {
  const credits = terms.credits;
  const made = { id: newId('entitlement'), organizationId };
  await tx.insert(entitlement).values({
    ...made,
    agentId,
    purchaseId,
    userId,
    kind: terms.kind,
    state: 'active',
    isUnlimited: credits === null,
    endsAt: endOf(terms, new Date()),
    ...given,
  });
  await moveCredits(tx, made, { from: 'issued', to: 'left', amount: credits ?? 0, reason: 'grant' });
}

/** Null: forever, or for as long as the provider says. */
function endOf(terms: PaymentConfig, from: Date): Date | null {
  if (terms.kind !== 'once' || terms.accessDays === null) return null;
  return new Date(from.getTime() + terms.accessDays * DAY_MS);
}

export async function updateEntitlement(
  tx: Tx,
  found: StoredEntitlement,
  changes: Partial<Pick<StoredEntitlement, 'state' | 'endsAt' | 'renews'>>,
): Promise<void> {
  await tx
    .update(entitlement)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(isIt(found));
}

/** Ends it at once. The remaining credits go; those held for answers in progress go when these settle. */
export async function closeEntitlement(tx: Tx, found: StoredEntitlement, state: State): Promise<void> {
  await updateEntitlement(tx, found, { state, renews: false, endsAt: new Date() });
  const [to, reason] =
    state === 'ended' ? (['expired', 'expire'] as const) : (['refunded', 'refund'] as const);
  await moveCredits(tx, found, { from: 'left', to, amount: found.creditsLeft, reason });
}

/** A dispute was won: restores what it took away. */
export async function reopenEntitlement(
  tx: Tx,
  found: StoredEntitlement,
  terms: PaymentConfig,
): Promise<void> {
  await updateEntitlement(tx, found, { state: 'active', endsAt: endOf(terms, found.createdAt) });
  const [row] = await tx
    .select({ amount: sql<number>`coalesce(sum(${ledgerEntry.amount}), 0)::int` })
    .from(ledgerEntry)
    .where(
      and(
        eq(ledgerEntry.organizationId, found.organizationId),
        eq(ledgerEntry.entitlementId, found.id),
        eq(ledgerEntry.account, 'refunded'),
      ),
    );
  const amount = row?.amount ?? 0;
  await moveCredits(tx, found, { from: 'refunded', to: 'left', amount, reason: 'give back' });
}

export function isOpenState(state: State): boolean {
  return openStates.some((open) => open === state);
}
