import type { PaymentConfig, purchase as contract } from '../../../../contract/product.ts';
import { leastToAsk, lockOpen, usable } from '../../../access/entitlement.ts';
import {
  inOrganization,
  isMemberWhoSees,
  maySee,
  organizationOf,
  requireChat,
  type Agent,
} from '../../../access/gate.ts';
import { AppError, noAgent, notFound } from '../../../app-error.ts';
import type { Caller, ChatCaller, Handlers } from '../../../call.ts';
import { decodeCursor, encodeCursor, readId } from '../../../cursor.ts';
import type { Tx } from '../../../db/scope.ts';
import type { Deps } from '../../../deps.ts';
import { openPortal } from '../../../payment/portal.ts';
import { reach } from '../../../payment/reach.ts';
import { recordAudit } from '../../audit/store.ts';
import { agentsOf } from '../../chat/store.ts';
import { findPublished } from '../../storefront/store.ts';
import { findAgent } from '../../visitor/store.ts';
import { closeEarlier, closeSession, oneByOne, openCheckout } from '../checkout.ts';
import { findAccount } from '../connect-store.ts';
import { giveEntitlement } from '../entitlement-store.ts';
import { readPaidAnywhere } from '../paid-store.ts';
import { payBack } from '../pay-back.ts';
import { entitlementOf, offerOf, purchaseOf } from '../present.ts';
import * as store from '../purchase-store.ts';
import type { StoredPurchase } from '../purchase-store.ts';
import { findProduct, listForSale, type StoredProduct } from '../store.ts';
import { upgradeIn, type MergeGuest } from '../upgrade.ts';

export function purchaseHandlers(deps: Deps, mergeGuest: MergeGuest): Handlers<typeof contract> {
  const { db, payments } = deps;

  /** An agent by its ID or handle, if the caller may see it. */
  const inSeen = async <T>(
    caller: Caller,
    idOrHandle: string,
    work: (tx: Tx, agent: Agent) => Promise<T>,
  ): Promise<T> => {
    const kind = idOrHandle.startsWith('agt_') ? 'agent' : 'handle';
    const organizationId = await organizationOf(db, kind, idOrHandle);
    return db.in({ organizationId }, async (tx) => {
      const agent = await findAgent(tx, organizationId, idOrHandle);
      if (!agent || !(await maySee(tx, agent, caller))) throw noAgent();
      return work(tx, agent);
    });
  };

  const inOwn = async <T>(
    caller: ChatCaller,
    id: string,
    work: (tx: Tx, purchase: StoredPurchase) => Promise<T>,
  ): Promise<T> => {
    const organizationId = await organizationOf(db, 'purchase', id);
    return db.in({ organizationId }, async (tx) => {
      const found = await store.findPurchase(tx, { organizationId, id });
      if (found?.userId !== caller.userId) throw notFound();
      return work(tx, found);
    });
  };

  return {
    offers: async ({ chatbotId }, caller) => {
      const products = await inSeen(caller, chatbotId, (tx, { organizationId, id }) =>
        listForSale(tx, organizationId, id),
      );
      return { offers: products.map(offerOf), isTestMode: payments.isTestMode };
    },

    standing: ({ chatbotId }, caller) =>
      inSeen(caller, chatbotId, async (tx, agent) => {
        const { organizationId, id: agentId, sells } = agent;
        const holder = { organizationId, agentId, userId: caller.userId };
        const open = await lockOpen(tx, holder);
        const isFree = !sells || (await isMemberWhoSees(tx, agent, caller));
        const entitlements = (await store.listHeld(tx, holder)).map(entitlementOf);
        return {
          isForSale: sells,
          mayChat: isFree || usable(open, leastToAsk) !== undefined,
          entitlements,
        };
      }),

    begin: ({ id, conversationId = null }, caller, { origin }) =>
      oneByOne(deps, caller.userId, id, async () => {
        const begun = await beginPurchase(deps, caller, { id, conversationId });
        if (begun.terms.kind === 'free') return { purchase: purchaseOf(begun), url: null };
        if (begun.sessionUrl !== null) return { purchase: purchaseOf(begun), url: begun.sessionUrl };
        await closeEarlier(deps, begun);
        const backPath = await db.in({ organizationId: begun.organizationId }, (tx) => pathBack(tx, begun));
        const session = await openCheckout(deps, begun, { userId: caller.userId, origin, backPath });
        const isThere = await db.in({ organizationId: begun.organizationId }, (tx) =>
          store.keepSession(tx, begun, {
            sessionId: session.id,
            sessionUrl: session.url,
            customerId: session.customerId,
          }),
        );
        if (!isThere) {
          await closeSession(deps, { sessionId: session.id, accountId: begun.accountId });
          throw notFound();
        }
        return { purchase: purchaseOf(begun), url: session.url };
      }),

    get: ({ id }, caller) =>
      inOwn(caller, id, async (tx, found) => {
        const agent = await findAgent(tx, found.organizationId, found.agentId);
        const { id: agentId, name, handle } = agent ?? { id: found.agentId, name: found.name, handle: null };
        return {
          purchase: purchaseOf(found),
          agent: { id: agentId, name, handle },
          conversationId: found.conversationId,
        };
      }),

    list: async ({ cursor, count }, { userId }) => {
      const before = decodeCursor(cursor, readId);
      const found = await db.in({ userId }, (tx) => store.listOwn(tx, userId, { count: count + 1, before }));
      const page = found.slice(0, count);
      const purchases = page.map(({ purchase }) => purchase);
      const agents = await agentsOf(db, purchases);
      const paidFor = await readPaidAnywhere(db, purchases);
      const last = found.length > count ? page.at(-1) : undefined;
      return {
        purchases: page.map(({ purchase, entitlement }) => ({
          ...purchaseOf(purchase),
          ...paidFor(purchase),
          agentName: agents.get(purchase.agentId)?.name ?? purchase.name,
          entitlement: entitlement && entitlementOf(entitlement),
        })),
        nextCursor: last ? encodeCursor([last.purchase.id]) : null,
      };
    },

    portal: async ({ id }, caller, { origin }) => {
      const { accountId, customerId, subscriptionId, agentId } = await inOwn(
        caller,
        id,
        async (_tx, found) => found,
      );
      if (accountId === null || customerId === null || subscriptionId === null) throw notFound();
      const page = { customer: customerId, returnUrl: `${origin}/chat/${agentId}` };
      return { url: await reach(openPortal(payments.stripe, page, { stripeAccount: accountId })) };
    },

    upgrade: upgradeIn(deps, mergeGuest),

    refund: async ({ id }, caller, context) => {
      const organizationId = await organizationOf(db, 'purchase', id);
      const own = 'organization.own';
      const { purchase, paid } = await inOrganization(db, caller, organizationId, own, async (tx) => {
        const found = await store.findPurchase(tx, { organizationId, id });
        if (!found) throw notFound();
        return { purchase: found, paid: await refundable(tx, found) };
      });
      const failures: unknown[] = [];
      for (const payment of paid)
        await payBack(payments.stripe, purchase.accountId ?? '', payment).catch((error: unknown) =>
          failures.push(error),
        );
      if (failures.length === paid.length) throw failures[0];
      // Even if it was only partly refunded: what was refunded is recorded.
      const refunded = await inOrganization(db, caller, organizationId, own, async (tx) => {
        const target = { id, name: purchase.name };
        await recordAudit(tx, caller, context, { organizationId, action: 'purchase.refund', target });
        return { purchase: purchaseOf((await store.findPurchase(tx, purchase)) ?? purchase) };
      });
      if (failures.length > 0) throw failures[0];
      return refunded;
    },
  };
}

/** A purchase on the current terms: the one the person has just begun, or a new one; for a free product, the whole purchase. */
async function beginPurchase(
  { db }: Pick<Deps, 'db'>,
  caller: ChatCaller,
  { id, conversationId }: { id: string; conversationId: string | null },
): Promise<StoredPurchase> {
  const organizationId = await organizationOf(db, 'product', id);
  return db.in({ organizationId }, async (tx) => {
    const product = await findProduct(tx, { organizationId, id });
    const agent = product && (await findAgent(tx, organizationId, product.agentId));
    if (!agent || product.state !== 'active') throw notFound();
    await requireChat(tx, agent, caller);
    const { userId } = caller;
    const holder = { organizationId, agentId: agent.id, userId };
    if (conversationId !== null && !(await store.isOwnConversation(tx, conversationId, holder)))
      throw notFound();
    const held = (await store.listHeld(tx, holder)).filter(({ productId }) => productId === id);
    requireNotOwned(held, product);
    const { priceId, accountId, detailsConfig } = product;
    const terms = termsFor(product, held);
    const known = await store.findBegun(tx, { organizationId, productId: id, userId, priceId, terms });
    if (known) return known;
    if (terms.kind !== 'free') await requireAccount(tx, product);
    const values = { ...holder, productId: id, terms, name: detailsConfig.name, conversationId };
    if (terms.kind !== 'free') return store.insertPurchase(tx, { ...values, priceId, accountId });
    const got = await store.insertPurchase(tx, { ...values, state: 'paid' });
    await giveEntitlement(tx, got, userId, { periodStart: new Date() });
    return got;
  });
}

/** Where people came from who go back without paying: without a conversation, from the storefront if there is one. */
async function pathBack(
  tx: Tx,
  { organizationId, agentId, conversationId }: StoredPurchase,
): Promise<string> {
  if (conversationId !== null) return `/chat/${conversationId}`;
  const agent = await findAgent(tx, organizationId, agentId);
  const isOnSite = agent?.handle && (await findPublished(tx, organizationId, agent.handle));
  return isOnSite ? `/s/${agent.handle}` : `/chat/${agentId}`;
}

/** Packs add up; of anything else one is enough until it is used up. */
function requireNotOwned(held: store.HeldEntitlement[], { paymentConfig: { kind } }: StoredProduct): void {
  if (kind === 'pack') return;
  const isOwned = held.some((found) => {
    const { state, creditsLeft } = entitlementOf(found);
    if (kind === 'free') return true;
    const isLive = state === 'active' || state === 'trialing' || state === 'past-due';
    return isLive && (kind === 'recurring' || creditsLeft === null || creditsLeft > 0);
  });
  if (isOwned) throw new AppError('payment/owned');
}

/** A person who has had it gets no second trial. */
function termsFor({ paymentConfig }: StoredProduct, held: store.HeldEntitlement[]): PaymentConfig {
  return paymentConfig.kind === 'recurring' && held.length > 0
    ? { ...paymentConfig, trialDays: 0 }
    : paymentConfig;
}

/** Errors: 409 if nobody can pay for it now. */
async function requireAccount(tx: Tx, { organizationId, accountId, priceId }: StoredProduct): Promise<void> {
  const account = await findAccount(tx, organizationId);
  const isRight = accountId !== null && account?.accountId === accountId && account.chargesEnabled;
  if (!isRight || priceId === null) throw new AppError('payment/account-needed');
}

/** The payments left to refund. Errors: 409 if there are none, or they went to another account. */
async function refundable(tx: Tx, purchase: StoredPurchase): Promise<store.StoredPayment[]> {
  const account = await findAccount(tx, purchase.organizationId);
  if (purchase.accountId === null || account?.accountId !== purchase.accountId)
    throw new AppError('payment/account-needed');
  const paid = (await store.listPayments(tx, purchase)).filter(
    ({ amount, refunded, isDisputed }) => refunded < amount && !isDisputed,
  );
  if (paid.length === 0) throw new AppError('resource/conflict', 'There is nothing to refund.');
  return paid;
}
