import { newId } from '../../src/server/id.ts';
import { agent, allWithVisitors, notThere, readers, signedOut, writers, type Row } from './expected.ts';
import type { World } from './world.ts';

const ofOrganization = (world: World) => ({ of: world.organizationId });
const ownersAlone = allWithVisitors(404, { ...signedOut, owner: 200, admin: 403, editor: 403, viewer: 403 });

/** The calls about personal data. Nobody in the matrix is erased: they are needed. */
export const privacyMatrix = {
  // The organization's, which only its owner gets; a person's own is tested elsewhere.
  'privacy.beginExport': { input: ofOrganization, expect: ownersAlone },
  'privacy.getExport': { input: ofOrganization, expect: ownersAlone },
  // Nobody's.
  'privacy.readExport': {
    input: () => ({ exportId: newId('dataExport') }),
    expect: allWithVisitors(404, signedOut),
  },
  // The wrong word: everybody stays.
  'privacy.erase': { input: () => ({ confirmation: 'no' }), expect: allWithVisitors(400, signedOut) },
  'privacy.eraseEndUser': {
    input: (world) => ({ ...agent(world), userId: newId('user'), confirmation: 'erase' }),
    expect: notThere,
  },
  'privacy.getRetention': { input: agent, expect: readers },
  'privacy.setRetention': { input: (world) => ({ ...agent(world), days: null }), expect: writers },
  'privacy.getErasure': { input: () => ({ token: 'not-made-by-us' }), expect: allWithVisitors(404) },
} satisfies Record<string, Row>;
