import type { Client } from '../../contract/client.ts';
import type { ParleyContract } from '../../contract/index.ts';
import type { Entitlement, Offer } from '../../contract/product.ts';
import type { Shop } from '../chat/types.ts';
import { keepDraft } from '../chat/drafts.ts';

interface ShopSetup {
  purchase: Client<ParleyContract>['purchase'];
  agentId: string;
  /** The conversation to return to; null if none is begun. */
  conversationId: string | null;
  leaves: boolean;
}

/** Buying over the API. */
export function openShop({ purchase, agentId, conversationId, leaves }: ShopSetup): Shop {
  return {
    leaves,
    offers: async () => {
      const of = { chatbotId: agentId };
      const [goods, { entitlements }] = await Promise.all([purchase.offers(of), purchase.standing(of)]);
      return { ...goods, offers: goods.offers.filter((offer) => !hasIt(offer, entitlements)) };
    },
    begin: async (productId, draft) => {
      // A returning person finds it where they continue.
      if (leaves) {
        keepDraft(agentId, '');
        keepDraft(conversationId ?? agentId, draft);
      }
      const begun = await purchase.begin({ id: productId, ...(conversationId && { conversationId }) });
      return { purchaseId: begun.purchase.id, url: begun.url };
    },
    isPaid: async (id) => (await purchase.get({ id })).purchase.state === 'paid',
  };
}

/**
 * A free product or a subscription can be held only once, even when its credits are used up: they renew, and no second
 * one is sold.
 */
function hasIt({ id, paymentConfig: { kind } }: Offer, entitlements: readonly Entitlement[]): boolean {
  return entitlements.some(
    ({ productId, state }) =>
      productId === id &&
      (kind === 'free' || (kind === 'recurring' && ['active', 'trialing', 'past-due'].includes(state))),
  );
}
