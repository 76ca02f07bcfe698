import { newId } from '../../src/server/id.ts';
import { agent, all, notMembers, readers, writers, type Row } from './expected.ts';
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
  // Its service is not public; whoever may try it is told that.
  'tool.test': { input: (world) => ({ ...ofTool(world), operationId: 'look' }), expect: writers },
  'tool.listCalls': { input: ofTool, expect: readers },
  'tool.remove': { input: () => ({ id: newId('tool') }), expect: all(404, notMembers) },
} satisfies Record<string, Row>;
