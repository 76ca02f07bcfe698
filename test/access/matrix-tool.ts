import { newId } from '../../src/server/id.ts';
import {
  agent,
  all,
  allWithVisitors,
  lookers,
  nothing,
  notMembers,
  notThere,
  readers,
  signedOut,
  writers,
  type Row,
} from './expected.ts';
import type { World } from './world.ts';

const ofTool = (world: World) => ({ id: world.toolId });

/** The calls on tools. */
export const toolMatrix = {
  'tool.list': { input: (world) => ({ agentId: world.agentId }), expect: readers },
  'tool.get': { input: ofTool, expect: readers },
  'tool.create': {
    input: (world) => ({ organizationId: world.organizationId, agentId: agent(world).id }),
    expect: writers,
  },
  'tool.update': { input: (world) => ({ ...ofTool(world), name: 'Orders' }), expect: writers },
  // Its service is not public; a caller who may test it is told so.
  'tool.test': { input: (world) => ({ ...ofTool(world), operationId: 'look' }), expect: writers },
  'tool.listCalls': { input: ofTool, expect: readers },
  'lead.list': { input: (world) => agent(world), expect: readers },
  'lead.export': { input: (world) => agent(world), expect: readers },
  'lead.remove': { input: (world) => ({ ...agent(world), leadId: newId('lead') }), expect: notThere },
  // It is not an MCP server, and nobody has an account there; a caller who may set it up is told so.
  'toolSignIn.find': {
    input: (world) => ({ ...ofTool(world), serverUrl: 'http://127.0.0.1/' }),
    expect: lookers,
  },
  'toolSignIn.connect': { input: ofTool, expect: { ...lookers, writeKey: 409 } },
  'toolSignIn.connected': {
    input: (world) => ({ ...ofTool(world), state: 'x', code: 'x' }),
    expect: { ...lookers, writeKey: 409 },
  },
  // Everybody has their own accounts.
  'toolAccount.list': { input: nothing, expect: allWithVisitors(200, signedOut) },
  'toolAccount.remove': {
    input: () => ({ id: newId('toolAccount') }),
    expect: allWithVisitors(404, signedOut),
  },
  'tool.remove': { input: () => ({ id: newId('tool') }), expect: all(404, notMembers) },
} satisfies Record<string, Row>;
