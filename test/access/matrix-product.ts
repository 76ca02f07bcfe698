import { newId } from '../../src/server/id.ts';
import {
  all,
  allWithVisitors,
  notMembers,
  organization,
  owners,
  readers,
  signedOut,
  writers,
} from './expected.ts';
import type { Row } from './expected.ts';
import type { World } from './world.ts';

const ofProduct = (world: World) => ({ id: world.productId });
const ofAgent = (world: World) => ({ chatbotId: world.agentId });
/** The owner's, which was paid to an account the organization doesn't have. */
const ofPurchase = (world: World) => ({ id: world.purchaseId });
const name = { name: 'Plus', description: '', features: [], isHighlighted: false };

/** The calls on what agents sell. */
export const productMatrix = {
  'connect.get': { input: organization, expect: owners },
  'connect.link': { input: organization, expect: owners },
  'product.list': { input: (world) => ({ agentId: world.agentId }), expect: readers },
  'product.get': { input: ofProduct, expect: readers },
  'product.create': {
    input: ({ organizationId, agentId }) => ({ organizationId, agentId }),
    expect: writers,
  },
  'product.update': { input: (world) => ({ ...ofProduct(world), detailsConfig: name }), expect: writers },
  'product.remove': {
    input: () => ({ id: newId('product') }),
    expect: all(404, notMembers),
  },
  'purchase.offers': { input: ofAgent, expect: allWithVisitors(200) },
  'purchase.standing': { input: ofAgent, expect: allWithVisitors(200, signedOut) },
  // A draft is available to nobody.
  'purchase.begin': { input: ofProduct, expect: allWithVisitors(404, signedOut) },
  'purchase.get': { input: ofPurchase, expect: allWithVisitors(404, { ...signedOut, owner: 200 }) },
  'purchase.list': { input: () => ({}), expect: all(200, signedOut) },
  'purchase.portal': { input: ofPurchase, expect: allWithVisitors(404, signedOut) },
  'purchase.upgrade': {
    input: () => ({ accessToken: 'none' }),
    expect: all(400, { ...signedOut, guest: 403, unregistered: 403 }),
  },
  'purchase.refund': { input: ofPurchase, expect: { ...owners, owner: 409 } },
  'coupon.list': { input: organization, expect: owners },
  // At the account the owner has connected above.
  'coupon.create': {
    input: (world) => ({ ...organization(world), code: 'SPRING', percentOff: 10 }),
    expect: owners,
  },
  'coupon.remove': {
    input: (world) => ({ ...organization(world), id: 'promo_none' }),
    expect: { ...owners, owner: 404 },
  },
  'earning.get': { input: (world) => ({ agentId: world.agentId }), expect: readers },
} satisfies Record<string, Row>;
