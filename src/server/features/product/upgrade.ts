import { AppError, invalidField, notFound } from '../../app-error.ts';
import type { UserCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { verifyVisitorToken } from '../../identity/visitor-tokens.ts';
import { adoptVisitor, knowsCustomer } from './upgrade-store.ts';

/** Transfers everything of a guest to the person and ends the guest; returns the sessions that ended. */
export type MergeGuest = (tx: Tx, guestId: string, personId: string) => Promise<string[]>;

interface Given {
  accessToken: string;
  stripeConnectCustomerId?: string | undefined;
}

/**
 * The holder of a guest's or visitor's token was that guest or visitor: nothing else is trusted. A guest ends, as on
 * their own sign-in; a visitor's belongings become the person's, and the visitor stays, with nothing.
 */
export function upgradeIn(deps: Deps, mergeGuest: MergeGuest) {
  const { db, identity, realtime } = deps;
  return async (
    { accessToken, stripeConnectCustomerId }: Given,
    caller: UserCaller,
  ): Promise<{ upgraded: true }> => {
    if (caller.isAnonymous && !caller.isMember) throw new AppError('auth/forbidden', 'Sign in first.');
    const personId = caller.userId;
    const requireCustomer = async (tx: Tx, userId: string): Promise<void> => {
      if (stripeConnectCustomerId === undefined) return;
      // If the token was used before, they already belong to the person.
      if (!(await knowsCustomer(tx, [userId, personId], stripeConnectCustomerId))) throw notFound();
    };

    const visitor = await verifyVisitorToken(identity.keys, accessToken);
    if (visitor) {
      const { organizationId, agentId, userId } = visitor;
      await db.in({ organizationId }, async (tx) => {
        await requireCustomer(tx, userId);
        await adoptVisitor(tx, { organizationId, agentId, userId }, personId);
      });
      return { upgraded: true };
    }

    const guest = await identity.identify(accessToken);
    if (!guest?.isAnonymous)
      throw invalidField('accessToken', 'This is not a token of a guest or a visitor.');
    // A guest who has registered is still one: signing in as somebody else would take over both.
    if (caller.isAnonymous || guest.userId === personId)
      throw new AppError('auth/forbidden', 'Sign in first.');
    const ended = await db.in({ userId: guest.userId }, async (tx) => {
      await requireCustomer(tx, guest.userId);
      return mergeGuest(tx, guest.userId, personId);
    });
    identity.forget(ended);
    for (const id of ended) realtime.disconnectSession(id);
    return { upgraded: true };
  };
}
