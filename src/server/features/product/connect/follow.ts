import type Stripe from 'stripe';
import { speakFor } from '../../../db/scope.ts';
import type { Deps } from '../../../deps.ts';
import * as store from '../connect-store.ts';

export function factsOf({
  charges_enabled: chargesEnabled,
  requirements,
}: Stripe.Account): store.AccountFacts {
  return { chargesEnabled, requirements: requirements?.currently_due ?? [] };
}

/** Follows changes to the accounts at the provider; accepts events from these accounts only. */
export function followAccounts({ db, payments: { events } }: Pick<Deps, 'db' | 'payments'>): void {
  events.knowAccounts(async (id) => (await store.organizationOfAccount(db.unscoped, id)) !== undefined);

  events.on('account.updated', async (tx, { object }) => {
    if (object?.object !== 'account') return;
    const organizationId = await store.organizationOfAccount(tx, object.id);
    if (organizationId === undefined) return;
    await speakFor(tx, organizationId);
    await store.saveFacts(tx, organizationId, object.id, factsOf(object));
  });

  events.on('account.application.deauthorized', async (tx, { account }) => {
    const organizationId = account && (await store.organizationOfAccount(tx, account));
    if (!organizationId) return;
    await speakFor(tx, organizationId);
    await store.part(tx, organizationId, account);
  });
}
