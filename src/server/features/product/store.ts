import { and, asc, eq, inArray, ne, sql, type SQL } from 'drizzle-orm';
import type { DetailsConfig, PaymentConfig } from '../../../contract/product.ts';
import { openStates } from '../../access/entitlement.ts';
import { agent, entitlement, product } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';

/** All statements on products and, for other modules, on what is bought of an agent. */

export type StoredProduct = typeof product.$inferSelect;
type ProductKey = Pick<StoredProduct, 'id' | 'organizationId'>;

const isIt = ({ id, organizationId }: ProductKey) =>
  and(eq(product.organizationId, organizationId), eq(product.id, id));

export interface ListedProduct extends StoredProduct {
  entitled: number;
}

const entitled = sql<number>`(select count(*)::int from purchase bought join entitlement e
  on e.purchase_id = bought.id and e.organization_id = bought.organization_id
  where bought.product_id = product.id and bought.organization_id = product.organization_id
    and e.state in ${[...openStates]} and (e.renews or e.ends_at is null or e.ends_at > now()))`;

/** Oldest first. */
export async function listProducts(
  tx: Tx,
  organizationId: string,
  agentId: string,
): Promise<ListedProduct[]> {
  const rows = await tx
    .select({ product, entitled })
    .from(product)
    .where(and(eq(product.organizationId, organizationId), eq(product.agentId, agentId)))
    .orderBy(asc(product.createdAt), asc(product.id));
  return rows.map((row) => ({ ...row.product, entitled: row.entitled }));
}

export async function listForSale(tx: Tx, organizationId: string, agentId: string): Promise<StoredProduct[]> {
  return tx
    .select()
    .from(product)
    .where(
      and(
        eq(product.organizationId, organizationId),
        eq(product.agentId, agentId),
        eq(product.state, 'active'),
      ),
    )
    .orderBy(asc(product.createdAt), asc(product.id));
}

/** A product of an agent that `seen` lets the reader see. */
export async function findProduct(
  tx: Tx,
  key: ProductKey,
  { seen, lock = false }: { seen?: SQL | undefined; lock?: boolean } = {},
): Promise<ListedProduct | undefined> {
  const query = tx
    .select({ product, entitled })
    .from(product)
    .innerJoin(agent, and(eq(agent.id, product.agentId), eq(agent.organizationId, product.organizationId)))
    .where(and(isIt(key), seen));
  const [row] = await (lock ? query.for('update', { of: product }) : query);
  return row && { ...row.product, entitled: row.entitled };
}

export async function insertProduct(
  tx: Tx,
  values: {
    organizationId: string;
    agentId: string;
    paymentConfig: PaymentConfig;
    detailsConfig: DetailsConfig;
  },
): Promise<ListedProduct> {
  const [made] = await tx
    .insert(product)
    .values({ id: newId('product'), ...values })
    .returning();
  return { ...(made as StoredProduct), entitled: 0 };
}

export type ProductChanges = Partial<
  Pick<
    StoredProduct,
    'state' | 'paymentConfig' | 'detailsConfig' | 'accountId' | 'providerProductId' | 'priceId'
  >
>;

export async function updateProduct(tx: Tx, found: StoredProduct, changes: ProductChanges): Promise<void> {
  await tx
    .update(product)
    .set({ ...changes, updatedAt: sql`clock_timestamp()` })
    .where(isIt(found));
  await noteSales(tx, found);
}

/** False if it was bought: then it has to stay. */
export async function deleteUnbought(tx: Tx, found: StoredProduct): Promise<boolean> {
  const isUnbought = sql`not exists (select from purchase bought where bought.product_id = product.id
    and bought.organization_id = product.organization_id)`;
  const gone = await tx
    .delete(product)
    .where(and(isIt(found), isUnbought))
    .returning({ id: product.id });
  await noteSales(tx, found);
  return gone.length > 0;
}

/** The agent's row records whether anything of it is for sale, so asking an agent that sells nothing costs nothing extra. */
async function noteSales(tx: Tx, { organizationId, agentId }: StoredProduct): Promise<void> {
  const sells = sql`exists (select from product p where p.organization_id = ${organizationId}
    and p.agent_id = ${agentId} and p.state = 'active')`;
  await tx
    .update(agent)
    .set({ sells })
    .where(and(eq(agent.organizationId, organizationId), eq(agent.id, agentId)));
}

/** Whether an agent has products that count toward the plan's limit; archived ones don't. */
export async function hasProducts(tx: Tx, organizationId: string, agentId: string): Promise<boolean> {
  const found = await tx
    .select({ id: product.id })
    .from(product)
    .where(
      and(
        eq(product.organizationId, organizationId),
        eq(product.agentId, agentId),
        ne(product.state, 'archived'),
      ),
    )
    .limit(1);
  return found.length > 0;
}

/** Whether anybody pays for the agent on renewal: that money goes to the account of its current organization. */
export async function hasSubscribers(tx: Tx, organizationId: string, agentId: string): Promise<boolean> {
  const found = await tx
    .select({ id: entitlement.id })
    .from(entitlement)
    .where(
      and(
        eq(entitlement.organizationId, organizationId),
        eq(entitlement.agentId, agentId),
        eq(entitlement.kind, 'recurring'),
        inArray(entitlement.state, [...openStates]),
      ),
    )
    .limit(1);
  return found.length > 0;
}
