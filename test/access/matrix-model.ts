import {
  all,
  allWithVisitors,
  managers,
  nothing,
  notMembers,
  organization,
  own,
  readers,
  signedOut,
  type Row,
} from './expected.ts';
import type { CallerKind, World } from './world.ts';

const settings = (world: World) => ({
  ...organization(world),
  provider: 'compatible' as const,
  baseUrl: 'http://127.0.0.1/v1',
  apiKey: 'sk-matrix',
  models: ['small'],
});
const recording = (world: World, caller: CallerKind) => ({
  id: own(world, caller),
  media: new File([Buffer.from('1a45dfa300000000', 'hex')], 'said.webm', { type: 'audio/webm' }),
});

/** The calls on models and voice. The matrix's agents don't use voice. */
export const modelMatrix = {
  'model.list': { input: organization, expect: readers },
  'model.listProviders': { input: organization, expect: readers },
  'model.setProvider': { input: settings, expect: managers },
  // A caller who may test it is told that this address is not public.
  'model.testProvider': { input: settings, expect: managers },
  'model.removeProvider': {
    input: (world) => ({ ...organization(world), provider: 'google' }),
    expect: { ...managers, ...all(404, notMembers), editor: 403, viewer: 403, readKey: 403, writeKey: 403 },
  },

  'modelPrice.set': {
    input: (world) => ({
      ...organization(world),
      provider: 'compatible' as const,
      prices: [{ model: 'small', input: '1', cachedInput: null, output: '2' }],
    }),
    expect: managers,
  },

  'voice.abilities': { input: nothing, expect: allWithVisitors(200) },
  'voice.transcribe': { input: recording, expect: allWithVisitors(409, signedOut) },
  'voice.speak': {
    input: (world) => ({ id: world.conversationId, messageId: world.messageId }),
    expect: allWithVisitors(404, { ...signedOut, owner: 409 }),
  },
  // None of these conversations is for voice messages.
  'voice.leave': { input: recording, expect: allWithVisitors(409, signedOut) },
} satisfies Record<string, Row>;
