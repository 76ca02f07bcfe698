import { STOREFRONT_HEADLINE_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { StorefrontConfig } from '../../../contract/storefront.ts';
import type { Agent } from '../../access/gate.ts';

/** A page that can be published as is, built from what is known of the agent. */
export function newStorefront({ name, welcomeMessage }: Agent): StorefrontConfig {
  return StorefrontConfig.parse({
    headline: name.slice(0, STOREFRONT_HEADLINE_MAX_CHARACTERS).toWellFormed(),
    tagline: welcomeMessage.slice(0, 300).toWellFormed(),
    sections: [
      { kind: 'offers', title: 'Plans' },
      { kind: 'chat', title: 'Try it', text: 'Ask a question and see how it answers.' },
    ],
  });
}
