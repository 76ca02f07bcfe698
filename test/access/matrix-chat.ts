import { newId } from '../../src/server/id.ts';
import {
  all,
  allWithVisitors,
  nothing,
  notMembers,
  notPersons,
  organization,
  own,
  owners,
  readers,
  signedOut,
  type Row,
} from './expected.ts';
import type { CallerKind, World } from './world.ts';

const ofOwn = (world: World, caller: CallerKind) => ({ id: own(world, caller) });
/** The owner's conversation with an answer in it; for anybody else it does not exist. */
const ofOwner = (world: World) => ({ id: world.conversationId, messageId: world.messageId });
const ownersOnly = allWithVisitors(404, { ...signedOut, owner: 200 });
/** Persons have links and rooms, visitors don't. */
const forPersons = { ...all(200, signedOut) };
const notFoundByPersons = { ...all(404, signedOut) };
const textFile = () => new File(['A plain text.'], 'note.txt', { type: 'text/plain' });

/** The calls on conversations, messages, links and rooms. */
export const chatMatrix = {
  'chat.list': { input: nothing, expect: allWithVisitors(200, signedOut) },
  'chat.get': {
    input: (world, caller) => ({ id: own(world, caller) }),
    expect: allWithVisitors(200, signedOut),
  },
  'chat.create': {
    input: (world) => ({ chatbotId: world.agentId }),
    expect: allWithVisitors(200, signedOut),
  },
  'chat.listMessages': {
    input: (world, caller) => ({ id: own(world, caller) }),
    expect: allWithVisitors(200, signedOut),
  },
  'chat.send': {
    input: (world, caller) => ({ id: own(world, caller), text: 'When do you open?' }),
    expect: allWithVisitors(200, signedOut),
  },
  'chat.retry': {
    input: (world, caller) => ({ id: own(world, caller) }),
    // There is nothing to regenerate: the last answer is complete.
    expect: allWithVisitors(409, signedOut),
  },
  'chat.attach': {
    input: (world, caller) => ({ id: own(world, caller) }),
    expect: allWithVisitors(200, signedOut),
  },
  'chat.stop': {
    input: (world, caller) => ({ id: own(world, caller) }),
    expect: allWithVisitors(200, signedOut),
  },
  'chat.regenerate': { input: ofOwner, expect: ownersOnly },
  // The owner names an answer, which nobody can edit.
  'chat.edit': {
    input: (world) => ({ ...ofOwner(world), text: 'Else?' }),
    expect: { ...ownersOnly, owner: 404 },
  },
  // Nothing is waiting in the one the owner names.
  'chat.decideToolCall': {
    input: (world) => ({ ...ofOwner(world), callId: newId('toolCall'), decision: 'allow' }),
    expect: allWithVisitors(404, signedOut),
  },
  'chat.connectAccount': {
    input: (world) => ({ ...ofOwner(world), callId: newId('toolCall') }),
    expect: allWithVisitors(404, signedOut),
  },
  'chat.accountConnected': {
    input: (world) => ({ ...ofOwner(world), callId: newId('toolCall'), state: 'x', code: 'x' }),
    expect: allWithVisitors(404, signedOut),
  },
  'chat.submitForm': {
    input: (world) => ({ ...ofOwner(world), callId: newId('toolCall'), values: {} }),
    expect: allWithVisitors(404, signedOut),
  },
  'chat.choose': { input: ofOwner, expect: ownersOnly },

  'history.search': { input: () => ({ query: 'opening hours' }), expect: allWithVisitors(200, signedOut) },
  'history.update': {
    input: (world, caller) => ({ ...ofOwn(world, caller), title: 'Hours' }),
    expect: allWithVisitors(200, signedOut),
  },
  'history.remove': {
    input: () => ({ id: newId('conversation') }),
    expect: allWithVisitors(404, signedOut),
  },
  'history.restore': { input: ofOwn, expect: allWithVisitors(200, signedOut) },
  'history.export': { input: ofOwn, expect: allWithVisitors(200, signedOut) },

  'chatLink.list': { input: ofOwn, expect: forPersons },
  'chatLink.create': {
    input: (world, caller) => ({ ...ofOwn(world, caller), audience: 'organization' }),
    expect: forPersons,
  },
  'chatLink.revoke': {
    input: (world, caller) => ({ ...ofOwn(world, caller), linkId: newId('chatLink') }),
    expect: notFoundByPersons,
  },
  'chatLink.open': { input: () => ({ token: `${newId('chatLink')}.x` }), expect: all(404) },

  'room.join': { input: () => ({ token: `${newId('chatLink')}.x` }), expect: notFoundByPersons },
  // None of these conversations is a room.
  'room.listMessages': { input: ofOwn, expect: allWithVisitors(404, signedOut) },
  'room.say': {
    input: (world, caller) => ({ ...ofOwn(world, caller), text: 'Hello' }),
    expect: notFoundByPersons,
  },
  'room.people': { input: ofOwn, expect: notFoundByPersons },
  'room.leave': { input: ofOwn, expect: notFoundByPersons },

  'answer.rate': { input: (world) => ({ ...ofOwner(world), rating: 'up' }), expect: ownersOnly },
  'answer.receipt': { input: ofOwner, expect: readers },

  'attachment.add': {
    input: (world, caller) => ({ ...ofOwn(world, caller), media: textFile() }),
    expect: allWithVisitors(200, signedOut),
  },
  'attachment.content': {
    input: (world) => ({ id: world.conversationId, attachmentId: world.attachmentId }),
    expect: ownersOnly,
  },

  'billing.getReferral': { input: nothing, expect: all(200, { ...notMembers, ...notPersons }) },
  'billing.getUsage': { input: organization, expect: readers },
  'billing.countUsage': { input: organization, expect: owners },
  // Nothing is limited in this world.
  'billing.choosePlan': {
    input: (world) => ({ ...organization(world), planType: 'PRO' as const }),
    expect: { ...owners, owner: 409 },
  },
  'billing.portal': { input: organization, expect: owners },
  'billing.getSubscription': { input: organization, expect: owners },
  'billing.previewChange': {
    input: (world) => ({ ...organization(world), planType: 'PRO' as const }),
    expect: owners,
  },
  'billing.setStop': {
    input: (world) => ({ ...organization(world), creditStop: 'soft' as const, stopMessage: null }),
    expect: owners,
  },
} satisfies Record<string, Row>;
