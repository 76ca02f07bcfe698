import Stripe from 'stripe';
import { asOwner } from '../../db/as-owner.ts';
import type { Deps } from '../../deps.ts';
import type { JobData } from '../../jobs/jobs.ts';
import { recountGone } from '../insight/store.ts';
import * as people from './erase-person-store.ts';
import { eraseRows, findPerson } from './erase-rows.ts';
import { signReceipt } from './receipt.ts';
import * as store from './store.ts';

type Context = Pick<Deps, 'db' | 'storage' | 'payments' | 'identity'>;

/** What others do for a person who goes. */
interface Farewell {
  /** Tells services that their accounts here have ended; of one agent's tools, or of all. */
  withdrawAccounts: (userId: string, agentId: string | null) => Promise<void>;
}

/**
 * Erases a person. What is in the database goes in one transaction, so that a kill leaves all or nothing of it; it names the bytes that
 * go after it, and the receipt is written when they are gone. Each step done again does nothing more.
 */
export function erasePerson(deps: Context, { withdrawAccounts }: Farewell) {
  return async ({ erasureId }: JobData['privacy.erase']): Promise<void> => {
    const begun = await store.findErasure(deps.db.unscoped, erasureId);
    if (!begun || begun.doneAt) return;
    if (begun.personId !== null) {
      await withdrawAccounts(begun.personId, begun.ofAgent);
      await forgetCustomers(deps, begun.personId, begun.ofAgent);
      await asOwner(deps.db, (tx) => eraseRows(tx, erasureId));
    }
    // Apart from the rows: who moves an agent holds it before its conversations.
    await asOwner(deps.db, recountGone);
    const gone = await store.findErasure(deps.db.unscoped, erasureId);
    for (const key of gone?.storageKeys ?? [])
      await (key.startsWith('upl_') ? deps.storage.drafts : deps.storage).remove(key);
    if (gone)
      await store.keepReceipt(deps.db.unscoped, erasureId, await signReceipt(deps.identity.keys, gone));
  };
}

/** The provider forgets who they are, and ends what they still pay for; what was paid it keeps. */
async function forgetCustomers(
  { db, payments: { stripe } }: Context,
  userId: string,
  agentId: string | null,
): Promise<void> {
  const customers = await asOwner(db, async (tx) => {
    const person = await findPerson(tx, userId, agentId);
    return person ? people.customersOf(tx, person) : [];
  });
  for (const { accountId, customerId } of customers)
    await stripe.customers.del(customerId, {}, { stripeAccount: accountId }).catch(ignoreGone);
}

function ignoreGone(error: unknown): void {
  const isGone = error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404;
  if (!isGone && !(error instanceof Stripe.errors.StripePermissionError)) throw error;
}
