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

/** What other features do for a person who leaves. */
interface Farewell {
  /** Tells services that the person's accounts here have ended, for one agent's tools or for all. */
  withdrawAccounts: (userId: string, agentId: string | null) => Promise<void>;
}

/**
 * Erases a person. The database part is one transaction, so that a kill leaves all or nothing of it; it names the bytes
 * to remove afterwards, and the receipt is written once they are gone. Repeating a step has no further effect.
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
    // Separate from the rows: moving an agent locks it before its conversations.
    await asOwner(deps.db, recountGone);
    const gone = await store.findErasure(deps.db.unscoped, erasureId);
    for (const key of gone?.storageKeys ?? [])
      await (key.startsWith('upl_') ? deps.storage.drafts : deps.storage).remove(key);
    if (gone)
      await store.keepReceipt(deps.db.unscoped, erasureId, await signReceipt(deps.identity.keys, gone));
  };
}

/** The provider erases their identity, and ends what they still pay for; it keeps past payments. */
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
