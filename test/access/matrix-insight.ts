import { newId } from '../../src/server/id.ts';
import { all, notThere, organization, readers, writers, type Row } from './expected.ts';
import type { World } from './world.ts';

const ofAgent = ({ agentId }: World) => ({ agentId });

/** Numbers, for callers who can see the agents they are about. */
export const insightMatrix = {
  'insight.get': { input: ofAgent, expect: readers },
  'insight.getUser': { input: (world) => ({ ...ofAgent(world), userId: world.userId }), expect: readers },
  'insight.getOrganization': { input: organization, expect: readers },
  'insight.export': { input: ofAgent, expect: readers },
  'insight.getReport': { input: organization, expect: { ...readers, readKey: 403, writeKey: 403 } },
  // Nobody here has an email address.
  'insight.setReport': {
    input: (world) => ({ ...organization(world), every: null }),
    expect: { ...readers, readKey: 403, writeKey: 403 },
  },
  'insightLink.list': { input: ofAgent, expect: writers },
  'insightLink.create': { input: (world) => ({ ...ofAgent(world), name: 'For the board' }), expect: writers },
  'insightLink.remove': {
    input: (world) => ({ ...ofAgent(world), linkId: newId('insightLink') }),
    expect: notThere,
  },
  'insightLink.read': { input: () => ({ token: 'x'.repeat(43) }), expect: all(404) },
  'insight.exportOrganization': { input: organization, expect: readers },
} satisfies Record<string, Row>;
