import type { ParleyContract } from '../../src/contract/index.ts';
import { newId } from '../../src/server/id.ts';
import { callers, type CallerKind, type World } from './world.ts';

type CallName = {
  [A in keyof ParleyContract]: `${A}.${Extract<keyof ParleyContract[A], string>}`;
}[keyof ParleyContract];

export interface Row {
  /** What is sent, for this caller. */
  input: (world: World, caller: CallerKind) => Record<string, unknown>;
  /** The status for every kind of caller. */
  expect: Record<CallerKind, number>;
}

/** The same status for everybody but those named. */
function all(status: number, but: Partial<Record<CallerKind, number>> = {}): Record<CallerKind, number> {
  return {
    ...(Object.fromEntries(callers.map((kind) => [kind, status])) as Record<CallerKind, number>),
    ...but,
  };
}

const signedOut = { anonymous: 401 } as const;
const notMembers = { anonymous: 401, guest: 403, unregistered: 403 } as const;
/** Members of the organization from a role upward; to everybody else it does not exist. */
const readers = all(200, { ...notMembers, outsider: 404 });
const writers = { ...readers, viewer: 403 };

const nothing = () => ({});
const own = (world: World, caller: CallerKind) =>
  caller === 'anonymous' ? world.conversationOf.guest : world.conversationOf[caller];
const ownUser = (world: World, caller: CallerKind) =>
  caller === 'anonymous' ? world.userIdOf.guest : world.userIdOf[caller];
const organization = (world: World) => ({ organizationId: world.organizationId });
const agent = (world: World) => ({ id: world.agentId });
const agentInOrganization = (world: World) => ({ id: world.agentId, organizationId: world.organizationId });
const item = (world: World) => ({ id: world.agentId, knowledgeId: world.knowledgeId });

/** Every call of the contract. A call that is missing here is a type error, and one too many as well. */
export const matrix: Record<CallName, Row> = {
  'identity.signInAsGuest': { input: nothing, expect: all(200) },
  'identity.sendSignInLink': {
    input: (_world, caller) => ({ email: `${caller}@example.com` }),
    expect: all(200),
  },
  'identity.confirmSignInLink': {
    input: () => ({ email: 'a@example.com', token: 'wrong' }),
    expect: all(400),
  },
  'identity.refresh': { input: nothing, expect: all(200) },
  'identity.signOut': { input: nothing, expect: all(200) },

  'user.get': { input: (world, caller) => ({ id: ownUser(world, caller) }), expect: all(200, signedOut) },
  'user.getByUsername': { input: () => ({ username: 'nobody-is-called-this' }), expect: all(404) },
  'user.checkUsername': { input: () => ({ username: 'free-name' }), expect: all(200, signedOut) },
  'user.register': {
    input: (_world, caller) => ({ name: caller, username: `name-of-${caller}` }),
    // The guest of the matrix stays one: their token still says so, and that is what counts.
    expect: all(200, signedOut),
  },
  'user.updateProfile': {
    input: (world, caller) => ({ uid: ownUser(world, caller), name: 'New name' }),
    expect: all(200, signedOut),
  },

  'organization.list': { input: nothing, expect: all(200, notMembers) },
  'organization.get': { input: (world) => ({ id: world.organizationId }), expect: readers },
  'organization.create': { input: () => ({ name: 'Another' }), expect: all(200, notMembers) },
  'organization.selfRole': { input: (world) => ({ orgId: world.organizationId }), expect: readers },

  'chatbot.list': { input: organization, expect: readers },
  'chatbot.get': { input: agentInOrganization, expect: readers },
  'chatbot.create': { input: (world) => ({ ...organization(world), name: 'One more' }), expect: writers },
  'chatbot.update': {
    input: (world) => ({ ...agentInOrganization(world), name: 'Renamed' }),
    expect: writers,
  },
  'chatbot.remove': {
    input: (world) => ({ id: newId('agent'), organizationId: world.organizationId }),
    // Of an agent that does not exist: whoever may delete learns that, nobody else learns anything.
    expect: { ...all(404, notMembers), viewer: 403 },
  },
  'chatbot.getPublic': { input: (world) => ({ idOrHandle: world.handle }), expect: all(200) },

  'knowledge.list': { input: agent, expect: readers },
  'knowledge.get': { input: item, expect: readers },
  'knowledge.create': {
    input: (world) => ({
      ...agentInOrganization(world),
      type: 'text',
      description: 'More',
      text: 'Closed on Sundays.',
    }),
    expect: writers,
  },
  'knowledge.update': {
    input: (world) => ({ ...item(world), organizationId: world.organizationId, description: 'Hours' }),
    expect: writers,
  },
  'knowledge.remove': {
    input: (world) => ({ id: world.agentId, knowledgeId: newId('knowledge') }),
    expect: { ...all(404, notMembers), viewer: 403 },
  },
  'knowledge.progress': { input: agent, expect: readers },

  'file.upload': {
    input: (world) => ({
      ...organization(world),
      media: new File(['A plain text.'], 'note.txt', { type: 'text/plain' }),
    }),
    expect: writers,
  },

  'chat.list': { input: nothing, expect: all(200, signedOut) },
  'chat.get': { input: (world, caller) => ({ id: own(world, caller) }), expect: all(200, signedOut) },
  'chat.create': { input: (world) => ({ chatbotId: world.agentId }), expect: all(200, signedOut) },
  'chat.listMessages': {
    input: (world, caller) => ({ id: own(world, caller) }),
    expect: all(200, signedOut),
  },
  'chat.send': {
    input: (world, caller) => ({ id: own(world, caller), text: 'When do you open?' }),
    expect: all(200, signedOut),
  },
  'chat.retry': {
    input: (world, caller) => ({ id: own(world, caller) }),
    // There is nothing to answer again: the last answer is whole.
    expect: all(409, signedOut),
  },
  'chat.attach': { input: (world, caller) => ({ id: own(world, caller) }), expect: all(200, signedOut) },
  'chat.stop': { input: (world, caller) => ({ id: own(world, caller) }), expect: all(200, signedOut) },

  'log.create': { input: () => ({ log: 'An error of the browser.' }), expect: all(200) },
};
