import { and, desc, eq, gt, lt, notInArray, sql } from 'drizzle-orm';
import { CHECKOUT_OPEN_MINUTES } from '../../../contract/limits.ts';
import {
  conversation,
  entitlement,
  payment,
  paymentCustomer,
  purchase,
  user,
} from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';

/** All statements on purchases and on the customers known to the provider. */

export type StoredPurchase = typeof purchase.$inferSelect;
export type StoredPayment = typeof payment.$inferSelect;
type StoredEntitlement = typeof entitlement.$inferSelect;
export interface HeldEntitlement extends StoredEntitlement {
  productId: string;
  name: string;
  terms: StoredPurchase['terms'];
}
type PurchaseKey = Pick<StoredPurchase, 'organizationId' | 'id'>;

const isIt = ({ organizationId, id }: PurchaseKey) =>
  and(eq(purchase.organizationId, organizationId), eq(purchase.id, id));

/**
 * With `lock`, nobody else changes its state until this transaction ends. Its agent is locked first, in the order in
 * which a deletion locks them.
 */
export async function findPurchase(
  tx: Tx,
  key: PurchaseKey,
  { lock = false }: { lock?: boolean } = {},
): Promise<StoredPurchase | undefined> {
  if (lock)
    await tx.execute(sql`
      select 1 from agent a where a.organization_id = ${key.organizationId} and a.id = (
        select p.agent_id from purchase p where p.organization_id = ${key.organizationId} and p.id = ${key.id})
      for key share`);
  const query = tx.select().from(purchase).where(isIt(key));
  const [found] = await (lock ? query.for('update') : query);
  return found;
}

/** A purchase the person has just begun on the same terms. */
export async function findBegun(
  tx: Tx,
  wanted: Pick<StoredPurchase, 'organizationId' | 'productId' | 'userId' | 'priceId' | 'terms'>,
): Promise<StoredPurchase | undefined> {
  const [found] = await tx
    .select()
    .from(purchase)
    .where(
      and(
        eq(purchase.organizationId, wanted.organizationId),
        eq(purchase.productId, wanted.productId),
        eq(purchase.userId, wanted.userId ?? ''),
        eq(purchase.priceId, wanted.priceId ?? ''),
        // What a payment grants can differ at the same price.
        eq(purchase.terms, wanted.terms),
        eq(purchase.state, 'pending'),
        gt(purchase.createdAt, sql`now() - make_interval(mins => ${CHECKOUT_OPEN_MINUTES})`),
      ),
    )
    .orderBy(desc(purchase.id))
    .limit(1);
  return found;
}

/** Other purchases of the same product that the same person began and did not pay. */
export async function listEarlier(
  tx: Tx,
  { organizationId, id, productId, userId }: StoredPurchase,
): Promise<StoredPurchase[]> {
  return tx
    .select()
    .from(purchase)
    .where(
      and(
        eq(purchase.organizationId, organizationId),
        eq(purchase.productId, productId),
        eq(purchase.userId, userId ?? ''),
        eq(purchase.state, 'pending'),
        lt(purchase.id, id),
      ),
    );
}

export async function insertPurchase(
  tx: Tx,
  values: Omit<typeof purchase.$inferInsert, 'id'>,
): Promise<StoredPurchase> {
  const [made] = await tx
    .insert(purchase)
    .values({ id: newId('purchase'), ...values })
    .returning();
  return made as StoredPurchase;
}

export async function updatePurchase(
  tx: Tx,
  key: PurchaseKey,
  changes: Partial<
    Pick<StoredPurchase, 'state' | 'sessionId' | 'sessionUrl' | 'customerId' | 'subscriptionId'>
  >,
): Promise<void> {
  await tx
    .update(purchase)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(isIt(key));
}

/**
 * Stores the page on which a purchase is paid. False if its agent has been deleted meanwhile: the deletion closes only
 * stored pages.
 */
export async function keepSession(
  tx: Tx,
  key: PurchaseKey,
  session: Pick<StoredPurchase, 'sessionId' | 'sessionUrl' | 'customerId'>,
): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    select 1 from agent a where a.organization_id = ${key.organizationId} and a.deleted_at is null and a.id = (
      select p.agent_id from purchase p where p.organization_id = ${key.organizationId} and p.id = ${key.id})
    for share`);
  if (rows.length > 0) await updatePurchase(tx, key, session);
  return rows.length > 0;
}

/** Newest first, across organizations, without those begun but not paid. Needs a transaction that acts for this person. */
export async function listOwn(
  tx: Tx,
  userId: string,
  { count, before }: { count: number; before: string | undefined },
): Promise<{ purchase: StoredPurchase; entitlement: HeldEntitlement | null }[]> {
  const rows = await tx
    .select({ purchase, entitlement })
    .from(purchase)
    .leftJoin(
      entitlement,
      and(eq(entitlement.purchaseId, purchase.id), eq(entitlement.organizationId, purchase.organizationId)),
    )
    .where(
      and(
        eq(purchase.userId, userId),
        notInArray(purchase.state, ['pending', 'expired']),
        before === undefined ? undefined : lt(purchase.id, before),
      ),
    )
    .orderBy(desc(purchase.id))
    .limit(count);
  return rows.map((row) => ({
    purchase: row.purchase,
    entitlement: row.entitlement && { ...row.entitlement, ...boughtAs(row.purchase) },
  }));
}

/** Everything a person has or had of an agent, newest first. */
export async function listHeld(
  tx: Tx,
  { organizationId, agentId, userId }: { organizationId: string; agentId: string; userId: string },
): Promise<HeldEntitlement[]> {
  const rows = await tx
    .select({ purchase, entitlement })
    .from(entitlement)
    .innerJoin(
      purchase,
      and(eq(entitlement.purchaseId, purchase.id), eq(entitlement.organizationId, purchase.organizationId)),
    )
    .where(
      and(
        eq(entitlement.organizationId, organizationId),
        eq(entitlement.agentId, agentId),
        eq(entitlement.userId, userId),
      ),
    )
    .orderBy(desc(entitlement.id));
  return rows.map((row) => ({ ...row.entitlement, ...boughtAs(row.purchase) }));
}

function boughtAs({
  productId,
  name,
  terms,
}: StoredPurchase): Pick<HeldEntitlement, 'productId' | 'name' | 'terms'> {
  return { productId, name, terms };
}

export interface Customer {
  organizationId: string;
  accountId: string;
  userId: string;
}

/** The person's customer ID at this account; undefined: none yet. */
export async function findCustomer(
  tx: Tx,
  { organizationId, accountId, userId }: Customer,
): Promise<string | undefined> {
  const [found] = await tx
    .select({ customerId: paymentCustomer.customerId })
    .from(paymentCustomer)
    .where(
      and(
        eq(paymentCustomer.organizationId, organizationId),
        eq(paymentCustomer.accountId, accountId),
        eq(paymentCustomer.userId, userId),
      ),
    );
  return found?.customerId;
}

/** Replaces `before`, which no longer exists. Of concurrent writes the first one wins. */
export async function keepCustomer(
  tx: Tx,
  customer: Customer & { customerId: string },
  before = '',
): Promise<void> {
  await tx
    .insert(paymentCustomer)
    .values(customer)
    .onConflictDoUpdate({
      target: [paymentCustomer.accountId, paymentCustomer.userId],
      set: { customerId: customer.customerId },
      setWhere: sql`${paymentCustomer.organizationId} = ${customer.organizationId} and ${paymentCustomer.customerId} = ${before}`,
    });
}

export async function emailOf(tx: Tx, userId: string): Promise<string | null> {
  const [found] = await tx.select({ email: user.email }).from(user).where(eq(user.id, userId));
  return found?.email ?? null;
}

/** Whether it is a conversation of the person with this agent. */
export async function isOwnConversation(
  tx: Tx,
  id: string,
  { organizationId, agentId, userId }: { organizationId: string; agentId: string; userId: string },
): Promise<boolean> {
  const found = await tx
    .select({ id: conversation.id })
    .from(conversation)
    .where(
      and(
        eq(conversation.organizationId, organizationId),
        eq(conversation.id, id),
        eq(conversation.agentId, agentId),
        eq(conversation.userId, userId),
      ),
    );
  return found.length > 0;
}

export async function listPayments(tx: Tx, { organizationId, id }: PurchaseKey): Promise<StoredPayment[]> {
  return tx
    .select()
    .from(payment)
    .where(and(eq(payment.organizationId, organizationId), eq(payment.purchaseId, id)));
}

/** As the provider reports it now. */
export async function savePayment(tx: Tx, values: StoredPayment): Promise<void> {
  const { refunded, isDisputed, amount, fee } = values;
  await tx
    .insert(payment)
    .values(values)
    .onConflictDoUpdate({
      target: payment.id,
      set: { refunded, isDisputed, amount, fee },
      setWhere: eq(payment.organizationId, values.organizationId),
    });
}
