import { newId } from '../../src/server/id.ts';
import { agent, allWithVisitors, notThere, signedOut, type Row } from './expected.ts';

/** The calls about what is known of people. Nobody of the matrix is erased: they are needed. */
export const privacyMatrix = {
  // The wrong word: everybody stays.
  'privacy.erase': { input: () => ({ confirmation: 'no' }), expect: allWithVisitors(400, signedOut) },
  'privacy.eraseEndUser': {
    input: (world) => ({ ...agent(world), userId: newId('user'), confirmation: 'erase' }),
    expect: notThere,
  },
  'privacy.getErasure': { input: () => ({ token: 'not-made-by-us' }), expect: allWithVisitors(404) },
} satisfies Record<string, Row>;
