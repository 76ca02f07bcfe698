import { AppError, invalidField, notFound } from '../../app-error.ts';
import type { UserCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { verifyVisitorToken } from '../../identity/visitor-tokens.ts';
import { adoptVisitor, knowsCustomer } from './upgrade-store.ts';

/** Makes everything of a guest the person's, and ends the guest; answers the sessions that ended. */
export type MergeGuest = (tx: Tx, guestId: string, personId: string) => Promise<string[]>;

interface Given {
  accessToken: string;
  stripeConnectCustomerId?: string | undefined;
}

/**
 * Whoever holds the token of a guest or a visitor was them: nothing else is believed. A guest ends, as when they sign in
 * themselves; a visitor's own things become the person's and the visitor stays, with nothing.
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
      // Of a token that was shown before, they are the person's already.
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
    // A guest who has registered is one still: whoever signs in as somebody else takes both over.
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
