import { newId } from '../../src/server/id.ts';
import {
  agent,
  allWithVisitors,
  nothing,
  notThere,
  owners,
  readers,
  signedOut,
  writers,
  type Row,
} from './expected.ts';
import type { World } from './world.ts';

const ofOrganization = (world: World) => ({ id: world.organizationId });

/** The calls about what is known of people. Nobody of the matrix is erased: they are needed. */
export const privacyMatrix = {
  'privacy.beginExport': { input: nothing, expect: allWithVisitors(200, signedOut) },
  'privacy.getExport': { input: nothing, expect: allWithVisitors(200, signedOut) },
  // Of nobody.
  'privacy.readExport': {
    input: () => ({ exportId: newId('dataExport') }),
    expect: allWithVisitors(404, signedOut),
  },
  'privacy.beginOrganizationExport': { input: ofOrganization, expect: owners },
  'privacy.getOrganizationExport': { input: ofOrganization, expect: owners },
  'privacy.readOrganizationExport': {
    input: (world) => ({ ...ofOrganization(world), exportId: newId('dataExport') }),
    expect: { ...owners, owner: 404 },
  },
  // The wrong word: everybody stays.
  'privacy.erase': { input: () => ({ confirmation: 'no' }), expect: allWithVisitors(400, signedOut) },
  'privacy.eraseEndUser': {
    input: (world) => ({ ...agent(world), userId: newId('user'), confirmation: 'erase' }),
    expect: notThere,
  },
  'privacy.getRetention': { input: agent, expect: readers },
  'privacy.previewRetention': { input: (world) => ({ ...agent(world), days: 30 }), expect: readers },
  'privacy.setRetention': { input: (world) => ({ ...agent(world), days: null }), expect: writers },
  'privacy.getErasure': { input: () => ({ token: 'not-made-by-us' }), expect: allWithVisitors(404) },
} satisfies Record<string, Row>;
