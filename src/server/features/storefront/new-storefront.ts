import { STOREFRONT_HEADLINE_MAX_CHARACTERS } from '../../../contract/limits.ts';
import type { PaymentConfig } from '../../../contract/product.ts';
import { StorefrontConfig } from '../../../contract/storefront.ts';
import type { Agent } from '../../access/gate.ts';

interface ForSale {
  paymentConfig: Pick<PaymentConfig, 'kind'>;
}

/**
 * A page that can be published as is, built from what is known of the agent. It does not invite people to try an agent
 * that answers nobody who has not paid.
 */
export function newStorefront(
  { name, welcomeMessage }: Agent,
  forSale: readonly ForSale[],
): StorefrontConfig {
  const canTry = forSale.length === 0 || forSale.some(({ paymentConfig }) => paymentConfig.kind === 'free');
  const invitation = { kind: 'chat', title: 'Try it', text: 'Ask a question and see how it answers.' };
  return StorefrontConfig.parse({
    headline: name.slice(0, STOREFRONT_HEADLINE_MAX_CHARACTERS).toWellFormed(),
    tagline: welcomeMessage.slice(0, 300).toWellFormed(),
    sections: [{ kind: 'offers', title: 'Plans' }, ...(canTry ? [invitation] : [])],
  });
}
