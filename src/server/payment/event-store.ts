import { eq, lt, sql } from 'drizzle-orm';
import { PAYMENT_EVENT_KEPT_DAYS } from '../../contract/limits.ts';
import { paymentEvent } from '../db/schema/index.ts';
import type { Database, Tx } from '../db/scope.ts';

/** Until the transaction ends nobody else changes anything about this customer. */
export async function lockCustomer(tx: Tx, customer: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`payment ${customer}`}, 0))`);
}

/** False if the event has already taken effect. True once per event, however often and wherever it arrives. */
export async function beginEvent(
  tx: Tx,
  event: { id: string; type: string; account: string | null },
): Promise<boolean> {
  const begun = await tx
    .insert(paymentEvent)
    .values(event)
    .onConflictDoNothing()
    .returning({ id: paymentEvent.id });
  return begun.length > 0;
}

export async function isKnown({ unscoped }: Pick<Database, 'unscoped'>, id: string): Promise<boolean> {
  const found = await unscoped
    .select({ id: paymentEvent.id })
    .from(paymentEvent)
    .where(eq(paymentEvent.id, id));
  return found.length > 0;
}

export async function forgetEvents({ unscoped }: Pick<Database, 'unscoped'>): Promise<void> {
  await unscoped
    .delete(paymentEvent)
    .where(lt(paymentEvent.createdAt, sql`now() - make_interval(days => ${PAYMENT_EVENT_KEPT_DAYS})`));
}
