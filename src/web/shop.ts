import type { Client } from '../contract/client.ts';
import type { ParleyContract } from '../contract/index.ts';
import type { Shop } from './chat/types.ts';
import { keepDraft } from './drafts.ts';

interface ShopSetup {
  purchase: Client<ParleyContract>['purchase'];
  agentId: string;
  /** The conversation to come back to; null where none is begun. */
  conversationId: string | null;
  leaves: boolean;
}

/** Buying over the API. */
export function openShop({ purchase, agentId, conversationId, leaves }: ShopSetup): Shop {
  return {
    leaves,
    offers: () => purchase.offers({ chatbotId: agentId }),
    begin: async (productId, draft) => {
      // Whoever comes back finds it where they go on.
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
