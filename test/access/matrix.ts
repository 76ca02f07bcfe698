import type { ParleyContract } from '../../src/contract/index.ts';
import { newId } from '../../src/server/id.ts';
import {
  agent,
  agentInOrganization,
  all,
  allWithVisitors,
  inOrganization,
  inside,
  item,
  lookers,
  managers,
  nothing,
  notMembers,
  notPersons,
  notThere,
  organization,
  owners,
  ownUser,
  readers,
  signedOut,
  writers,
  type Row,
} from './expected.ts';
import { agentFileMatrix } from './matrix-agent-file.ts';
import { chatMatrix } from './matrix-chat.ts';
import { modelMatrix } from './matrix-model.ts';
import { improvementMatrix } from './matrix-improvement.ts';
import { insightMatrix } from './matrix-insight.ts';
import { inboxMatrix } from './matrix-inbox.ts';
import { privacyMatrix } from './matrix-privacy.ts';
import { storefrontMatrix } from './matrix-storefront.ts';
import { productMatrix } from './matrix-product.ts';
import { toolMatrix } from './matrix-tool.ts';
import { versionMatrix } from './matrix-version.ts';

type CallName = {
  [A in keyof ParleyContract]: `${A}.${Extract<keyof ParleyContract[A], string>}`;
}[keyof ParleyContract];

/** A one-pixel PNG. */
const picture = () =>
  new File(
    [
      Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
    ],
    'pixel.png',
  );

/** Every call of the contract. A missing call is a type error, and so is an extra one. */
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
  'identity.changeEmail': {
    input: (_world, caller) => ({ email: `new-${caller}@example.com` }),
    expect: all(200, signedOut),
  },
  'identity.providers': { input: nothing, expect: all(200) },
  // The matrix has no Google; sign-in with it is tested with two local providers.
  'identity.startGoogle': { input: nothing, expect: all(503) },
  'identity.finishGoogle': { input: () => ({ code: 'x', state: 'x' }), expect: all(503) },
  'identity.unlink': { input: () => ({ providerId: 'google' }), expect: all(404, signedOut) },
  'identity.signOutEverywhere': {
    input: nothing,
    as: (world, caller) => world.leaving(caller, 'signOutEverywhere'),
    expect: all(200, signedOut),
  },
  'identity.refresh': { input: nothing, expect: all(200) },
  'identity.signOut': {
    input: nothing,
    as: (world, caller) => world.leaving(caller, 'signOut'),
    expect: all(200),
  },

  'user.get': { input: (world, caller) => ({ id: ownUser(world, caller) }), expect: all(200, signedOut) },
  'user.getByUsername': { input: () => ({ username: 'nobody-is-called-this' }), expect: all(404) },
  'user.checkUsername': { input: () => ({ username: 'free-name' }), expect: all(200, signedOut) },
  'user.register': {
    input: (_world, caller) => ({ name: caller, username: `name-of-${caller}` }),
    // The matrix's guest stays one: their token still says so, and that is what counts.
    expect: all(200, signedOut),
  },
  'user.updateProfile': {
    input: (world, caller) => ({ uid: ownUser(world, caller), name: 'New name' }),
    expect: all(200, signedOut),
  },

  'user.uploadPhoto': {
    input: (world, caller) => ({ uid: ownUser(world, caller), media: picture() }),
    expect: all(200, signedOut),
  },
  'user.guessLocation': { input: nothing, expect: all(200, signedOut) },
  'user.setLocation': { input: () => ({ city: 'Porto' }), expect: all(200, signedOut) },
  'user.getOnboarding': { input: nothing, expect: all(200, { ...notMembers, ...notPersons }) },
  'user.recordOnboarding': {
    input: () => ({ event: 'shared' }),
    expect: all(200, { ...notMembers, ...notPersons }),
  },

  'organization.list': { input: nothing, expect: all(200, notMembers) },
  'organization.get': { input: (world) => ({ id: world.organizationId }), expect: readers },
  'organization.create': {
    input: () => ({ name: 'Another' }),
    expect: all(200, { ...notMembers, ...notPersons }),
  },
  'organization.selfRole': { input: inOrganization, expect: readers },
  'organization.updateProfile': {
    input: (world) => ({ id: world.organizationId, name: 'Acme' }),
    expect: managers,
  },
  'organization.uploadPhoto': {
    input: (world) => ({ id: world.organizationId, media: picture() }),
    expect: managers,
  },
  'organization.transfer': {
    // To nobody: the matrix's owner stays one.
    input: (world) => ({ id: world.organizationId, memberId: newId('member') }),
    expect: { ...owners, owner: 404 },
  },
  'organization.remove': {
    // The wrong name: it stays.
    input: (world) => ({ id: world.organizationId, name: 'Not its name' }),
    expect: {
      ...all(400, notMembers),
      outsider: 404,
      admin: 403,
      editor: 403,
      viewer: 403,
      readKey: 403,
      writeKey: 403,
    },
  },
  'organization.leave': {
    input: (world) => ({ id: world.leavableId }),
    // The last owner can't leave.
    expect: all(200, { ...notMembers, ...notPersons, outsider: 404, owner: 409 }),
  },

  'team.list': { input: inOrganization, expect: readers },
  'team.get': { input: (world) => ({ id: world.teamId }), expect: readers },
  'team.create': { input: (world) => ({ ...organization(world), name: 'Another' }), expect: managers },
  'team.update': { input: (world) => ({ id: world.teamId, name: 'Service' }), expect: managers },
  'team.remove': { input: () => ({ id: newId('team') }), expect: all(404, notMembers) },

  'member.list': { input: inOrganization, expect: readers },
  'member.get': { input: (world) => ({ id: world.memberOf.viewer }), expect: readers },
  'member.update': {
    input: (world) => ({ id: world.memberOf.viewer, role: 'viewer', teams: [] }),
    expect: managers,
  },
  'member.remove': {
    input: (world) => ({ id: world.memberId }),
    // The owner: an admin may not, and the last owner can't.
    expect: { ...owners, owner: 409 },
  },
  'member.listInvites': { input: inOrganization, expect: managers },
  'member.invite': {
    input: (world, caller) => ({
      ...organization(world),
      email: `invited-by-${caller}@example.com`,
      role: 'viewer',
    }),
    expect: managers,
  },
  'member.getInvite': { input: () => ({ token: 'unknown' }), expect: all(404, signedOut) },
  'member.answerInvite': {
    input: () => ({ inviteToken: 'unknown', status: 'accepted' }),
    expect: all(404, signedOut),
  },
  'member.resendInvite': { input: (world) => ({ id: world.inviteId }), expect: managers },
  'member.revokeInvite': { input: (world) => ({ id: world.inviteId }), expect: managers },

  'apiKey.list': { input: organization, expect: managers },
  'apiKey.create': {
    input: (world) => ({ ...organization(world), name: 'For a program', scope: 'read' }),
    expect: managers,
  },
  'apiKey.revoke': { input: () => ({ id: newId('apiKey') }), expect: all(404, notMembers) },

  'audit.list': { input: organization, expect: managers },
  'audit.export': { input: organization, expect: managers },

  'chatbot.list': { input: organization, expect: readers },
  'chatbot.get': { input: agentInOrganization, expect: readers },
  'chatbot.create': { input: (world) => ({ ...organization(world), name: 'One more' }), expect: writers },
  'chatbot.update': {
    input: (world) => ({ ...agentInOrganization(world), name: 'Renamed' }),
    expect: writers,
  },
  'chatbot.remove': {
    input: (world) => ({ id: newId('agent'), organizationId: world.organizationId }),
    // For an agent that doesn't exist: callers who may delete learn that, nobody else learns anything.
    expect: { ...all(404, notMembers), viewer: 403, readKey: 403 },
  },
  'chatbot.uploadImage': { input: (world) => ({ ...agent(world), media: picture() }), expect: writers },
  'chatbot.getPublic': { input: (world) => ({ idOrHandle: world.handle }), expect: allWithVisitors(200) },

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
    expect: { ...all(404, notMembers), viewer: 403, readKey: 403 },
  },
  'knowledge.progress': { input: agent, expect: readers },
  'knowledge.addProduct': {
    input: (world) => ({ ...agent(world), description: 'Lamp Aurora, 49 euros' }),
    expect: writers,
  },
  'knowledge.resync': {
    // A text has no source to read again.
    input: item,
    expect: { ...all(400, notMembers), outsider: 404, viewer: 403, readKey: 403 },
  },
  'knowledge.retry': { input: item, expect: writers },
  'knowledge.tryQuestion': { input: (world) => ({ ...agent(world), question: 'When?' }), expect: readers },

  'source.list': { input: item, expect: readers },
  'source.get': { input: (world) => ({ ...item(world), sourceId: world.sourceId }), expect: readers },
  // The item has no file; access to a file's bytes is tested with the knowledge.
  'source.readFile': {
    input: (world) => ({ ...item(world), fileId: newId('file') }),
    expect: all(404, notMembers),
  },
  'source.listChunks': { input: (world) => ({ ...item(world), sourceId: world.sourceId }), expect: readers },

  'revision.list': { input: item, expect: readers },
  'revision.get': { input: (world) => ({ ...item(world), number: 1 }), expect: readers },
  'revision.apply': { input: (world) => ({ ...item(world), number: 99 }), expect: notThere },
  'revision.discard': { input: (world) => ({ ...item(world), number: 99 }), expect: notThere },
  'revision.restore': { input: (world) => ({ ...item(world), number: 99 }), expect: notThere },

  // The test's world has no other website; an address that must not be read is enough to tell who may ask.
  'website.domainLinks': { input: inside, expect: lookers },
  'website.sitemapLinks': { input: inside, expect: lookers },

  'file.upload': {
    input: (world) => ({
      ...organization(world),
      media: new File(['A plain text.'], 'note.txt', { type: 'text/plain' }),
    }),
    expect: writers,
  },

  // Somebody else's upload is not found whatever the role; what its own creator gets is tested with the uploads.
  'file.finish': { input: () => ({ uploadId: newId('upload') }), expect: all(404, notMembers) },

  ...agentFileMatrix,
  ...chatMatrix,
  ...modelMatrix,
  ...storefrontMatrix,
  ...privacyMatrix,
  ...productMatrix,
  ...toolMatrix,
  ...inboxMatrix,
  ...improvementMatrix,
  ...insightMatrix,
  ...versionMatrix,

  'visitor.authenticate': {
    input: (world) => ({ chatbotId: world.agentId }),
    expect: allWithVisitors(200),
  },
  'visitor.getAccess': { input: agent, expect: readers },
  // Only persons create and end credentials.
  'visitor.rotateEmbedSecret': { input: agent, expect: { ...writers, writeKey: 403 } },
  'visitor.setEmbedKey': {
    input: (world) => ({ ...agent(world), publicKey: null }),
    expect: { ...writers, writeKey: 403 },
  },
  // For an agent that doesn't exist: the matrix's key stays the one its caller has.
  'visitor.rotateApiKey': {
    input: () => ({ id: newId('agent') }),
    expect: { ...all(404, notMembers), readKey: 403, writeKey: 403 },
  },
  'visitor.removeApiKey': {
    input: () => ({ id: newId('agent') }),
    expect: { ...all(404, notMembers), readKey: 403, writeKey: 403 },
  },

  'plugin.list': { input: (world) => ({ chatbotId: world.agentId }), expect: readers },
  'plugin.get': { input: (world) => ({ id: world.pluginId }), expect: readers },
  'plugin.create': {
    input: (world) => ({ chatbotId: world.agentId, type: 'twitter', settingsData: {} }),
    expect: writers,
  },
  'plugin.update': { input: (world) => ({ id: world.pluginId, status: 'paused' }), expect: writers },
  'plugin.catalog': { input: nothing, expect: all(200, notMembers) },
  'plugin.check': { input: (world) => ({ id: world.pluginId }), expect: writers },
  'plugin.listMessages': { input: (world) => ({ id: world.pluginId }), expect: readers },
  'plugin.remove': { input: () => ({ id: newId('plugin') }), expect: all(404, notMembers) },
  'webhook.listDeliveries': { input: (world) => ({ id: world.webhookId }), expect: readers },
  'webhook.replay': {
    input: (world) => ({ id: world.webhookId, deliveryId: newId('webhookDelivery') }),
    expect: notThere,
  },
  'webhook.secret': { input: (world) => ({ id: world.webhookId }), expect: writers },
  // The matrix has no X; callers who may not connect are told first.
  'plugin.connect': {
    input: (world) => ({ id: world.pluginId }),
    expect: { ...all(503, notMembers), outsider: 404, viewer: 403, readKey: 403, writeKey: 403 },
  },
  'plugin.twitterLogin': { input: () => ({ ticket: 'wrong' }), expect: all(400) },
  'plugin.twitterCallback': { input: () => ({ state: 'x', code: 'x' }), expect: all(400) },

  'log.create': { input: () => ({ log: 'An error of the browser.' }), expect: all(200) },
};
