import { readers, writers, type Row } from './expected.ts';
import type { World } from './world.ts';

const it = (world: World) => ({ id: world.storefrontId });
const config = () => ({ headline: 'Helper', sections: [] });

/** The calls on agents' public pages. */
export const storefrontMatrix = {
  'storefront.find': { input: (world) => ({ agentId: world.agentId }), expect: readers },
  'storefront.get': { input: it, expect: readers },
  'storefront.create': { input: (world) => ({ agentId: world.agentId }), expect: writers },
  'storefront.update': { input: (world) => ({ ...it(world), config: config() }), expect: writers },
  'storefront.publish': { input: it, expect: writers },
  'storefront.unpublish': { input: it, expect: writers },
  'storefront.preview': { input: (world) => ({ ...it(world), config: config() }), expect: readers },
} satisfies Record<string, Row>;
