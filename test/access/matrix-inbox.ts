import { createECDH } from 'node:crypto';
import { newId } from '../../src/server/id.ts';
import {
  agent,
  all,
  allWithVisitors,
  managers,
  notThere,
  organization,
  own,
  readers,
  signedOut,
  writers,
  type Row,
} from './expected.ts';
import type { CallerKind, World } from './world.ts';

const ofOwn = (world: World, caller: CallerKind) => ({ id: own(world, caller) });
/** The owner's conversation, which members see as one of their agent's. */
const ofOwner = (world: World) => ({ id: world.conversationId });
/** For what only a person can do. */
const membersWhoWrite = { ...writers, writeKey: 403 };

const browserOfMember = {
  endpoint: 'https://push.example/browser',
  p256dh: createECDH('prime256v1').generateKeys('base64url'),
  auth: Buffer.alloc(16).toString('base64url'),
};

/** The calls for handling conversations in person; when they are done, the agent answers everywhere again. */
export const inboxMatrix = {
  'handover.ask': { input: ofOwn, expect: allWithVisitors(200, signedOut) },
  'handover.cancel': { input: ofOwn, expect: allWithVisitors(200, signedOut) },
  'endUser.list': { input: (world) => agent(world), expect: readers },
  'endUser.get': { input: (world) => ({ ...agent(world), userId: world.userId }), expect: readers },
  'endUser.listConversations': { input: (world) => agent(world), expect: readers },
  'endUser.getConversation': {
    input: (world) => ({ ...agent(world), conversationId: world.conversationId }),
    expect: readers,
  },
  'push.key': { input: () => ({}), expect: all(200, signedOut) },
  'push.subscribe': { input: () => browserOfMember, expect: all(200, signedOut) },
  'push.unsubscribe': {
    input: () => ({ endpoint: browserOfMember.endpoint }),
    expect: all(200, signedOut),
  },
  'inbox.list': { input: organization, expect: readers },
  'inbox.get': { input: ofOwner, expect: readers },
  'inbox.note': { input: (world) => ({ ...ofOwner(world), text: 'Mind this.' }), expect: membersWhoWrite },
  'inbox.assign': { input: (world) => ({ ...ofOwner(world), userId: world.userId }), expect: writers },
  // It is assigned to the owner now.
  'inbox.take': { input: ofOwner, expect: { ...membersWhoWrite, admin: 409, editor: 409 } },
  'inbox.write': {
    input: (world) => ({ ...ofOwner(world), text: 'I am here.' }),
    expect: { ...membersWhoWrite, admin: 409, editor: 409 },
  },
  'inbox.close': { input: ofOwner, expect: writers },
  'inbox.release': { input: ofOwner, expect: writers },
  'inbox.listCanned': { input: organization, expect: readers },
  'inbox.createCanned': {
    input: (world) => ({ ...organization(world), title: 'Hello', text: 'Hello.' }),
    expect: writers,
  },
  'inbox.updateCanned': {
    input: (world) => ({ ...organization(world), id: world.cannedAnswerId, text: 'Hello.' }),
    expect: writers,
  },
  // A new ID each time: what is gone is gone.
  'inbox.removeCanned': {
    input: (world) => ({ ...organization(world), id: newId('cannedAnswer') }),
    expect: { ...notThere, outsider: 404 },
  },
  'inbox.getSetting': { input: organization, expect: readers },
  'inbox.setSetting': {
    input: (world) => ({ ...organization(world), officeHours: null, awayMessage: '', notify: 'nobody' }),
    expect: managers,
  },
} satisfies Record<string, Row>;
