import { and, eq, inArray, sql } from 'drizzle-orm';
import { payment } from '../../db/schema/index.ts';
import type { Database, Tx } from '../../db/scope.ts';
import type { StoredPurchase } from './purchase-store.ts';

/** In the currency of the purchase. */
export interface Paid {
  paid: number;
  refunded: number;
}

type Key = Pick<StoredPurchase, 'organizationId' | 'id'>;

/** What was paid for each of these purchases of an organization, and how much of it was refunded. */
export async function readPaid(
  tx: Tx,
  organizationId: string,
  purchases: readonly Key[],
): Promise<(purchase: Key) => Paid> {
  const ids = purchases.map(({ id }) => id);
  const rows = await tx
    .select({
      id: payment.purchaseId,
      paid: sql<number>`sum(${payment.amount})::float8`,
      refunded: sql<number>`sum(${payment.refunded})::float8`,
    })
    .from(payment)
    .where(and(eq(payment.organizationId, organizationId), inArray(payment.purchaseId, ids)))
    .groupBy(payment.purchaseId);
  const byId = new Map(rows.map(({ id, ...sums }) => [id, sums]));
  return ({ id }) => byId.get(id) ?? { paid: 0, refunded: 0 };
}

/** The same for purchases in any organization; each buyer may know this about theirs. */
export async function readPaidAnywhere(
  db: Pick<Database, 'in'>,
  purchases: readonly Key[],
): Promise<(purchase: Key) => Paid> {
  const byOrganization = Map.groupBy(purchases, ({ organizationId }) => organizationId);
  const readers = new Map(
    await Promise.all(
      [...byOrganization].map(
        async ([organizationId, own]) =>
          [
            organizationId,
            await db.in({ organizationId }, (tx) => readPaid(tx, organizationId, own)),
          ] as const,
      ),
    ),
  );
  return (purchase) => readers.get(purchase.organizationId)?.(purchase) ?? { paid: 0, refunded: 0 };
}
