import type Stripe from 'stripe';
import type { connect as contract, connectStates } from '../../../../contract/product.ts';
import { inOrganization } from '../../../access/gate.ts';
import { AppError } from '../../../app-error.ts';
import type { Handlers, MemberCaller } from '../../../call.ts';
import type { Deps } from '../../../deps.ts';
import { alone, reach } from '../../../payment/reach.ts';
import { recordAudit } from '../../audit/store.ts';
import * as store from '../connect-store.ts';
import { factsOf } from './follow.ts';
import type { ConnectAccount } from '../connect-store.ts';

export function connectHandlers(deps: Deps): Handlers<typeof contract> {
  const { db, payments } = deps;

  const read = (caller: MemberCaller, organizationId: string) =>
    inOrganization(db, caller, organizationId, 'organization.own', (tx) =>
      store.findAccount(tx, organizationId),
    );

  /**
   * What the provider says now: its events may still be on their way when a person returns from there. `gone`: the
   * provider does not know this account, because it was made in test mode or at another provider, or denies us access
   * to it.
   */
  const lookAgain = async (caller: MemberCaller, known: ConnectAccount): Promise<ConnectAccount | 'gone'> => {
    const { organizationId, accountId } = known;
    if (accountId === null) return known;
    const found = await reach(payments.stripe.accounts.retrieve(accountId)).catch(unlessOurs);
    if (!found) return known;
    if (found === 'gone') return found;
    return inOrganization(db, caller, organizationId, 'organization.own', async (tx) => {
      await store.saveFacts(tx, organizationId, accountId, factsOf(found));
      return (await store.findAccount(tx, organizationId)) ?? known;
    });
  };

  /**
   * The row that holds, or will hold, the account. An account that is gone is dropped only here, where an owner asks
   * for another.
   */
  const ensureAccount = async (caller: MemberCaller, organizationId: string): Promise<ConnectAccount> => {
    const ensure = (parted?: string) =>
      inOrganization(db, caller, organizationId, 'organization.own', async (tx) => {
        if (parted !== undefined) await store.part(tx, organizationId, parted);
        return store.ensureAccount(tx, organizationId);
      });
    const known = await ensure();
    const seen = await lookAgain(caller, known);
    return seen === 'gone' ? ensure(known.accountId ?? undefined) : seen;
  };

  return {
    link: async ({ organizationId, returnTo }, caller, context) => {
      const back = context.origin + (returnTo ?? `/platform/${organizationId}/account/billing`);
      await read(caller, organizationId);
      const account = await alone(deps, `connect ${organizationId}`, async () => {
        const row = await ensureAccount(caller, organizationId);
        if (row.accountId !== null) return row.accountId;
        const made = await reach(makeAccount(payments.stripe, row));
        await inOrganization(db, caller, organizationId, 'organization.own', async (tx) => {
          await store.setAccount(tx, organizationId, made.id);
          const target = { id: organizationId, name: made.id };
          await recordAudit(tx, caller, context, { organizationId, action: 'connect.link', target });
        });
        return made.id;
      });
      const { url } = await reach(
        payments.stripe.accountLinks.create({
          account,
          type: 'account_onboarding',
          return_url: back,
          refresh_url: back,
        }),
      );
      return { url };
    },

    get: async ({ organizationId }, caller) => {
      const stored = await read(caller, organizationId);
      const seen = stored && (await lookAgain(caller, stored));
      const account = seen === 'gone' ? undefined : seen;
      return {
        account: {
          state: stateOf(account),
          requirements: account?.requirements ?? [],
          isTestMode: payments.isTestMode,
        },
      };
    },
  };
}

/** When the provider can't be reached, what we know is shown. */
function unlessOurs(error: unknown): 'gone' | undefined {
  if (!(error instanceof AppError)) throw error;
  return error.code === 'payment/unavailable' ? undefined : 'gone';
}

/** Idempotent: the key returns the same account on every call. */
function makeAccount(
  stripe: Stripe,
  { organizationId, generation }: ConnectAccount,
): Promise<Stripe.Account> {
  return stripe.accounts.create(
    {
      type: 'express',
      capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
      metadata: { organization: organizationId },
    },
    { idempotencyKey: `connect ${organizationId} ${generation}` },
  );
}

function stateOf(account: ConnectAccount | undefined): (typeof connectStates)[number] {
  if (!account || account.accountId === null) return 'new';
  if (account.chargesEnabled) return 'ready';
  return account.wasReady ? 'restricted' : 'incomplete';
}
