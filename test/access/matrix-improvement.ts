import { newId } from '../../src/server/id.ts';
import { agent, notThere, readers, writers, type Row } from './expected.ts';
import type { World } from './world.ts';

const cluster = (world: World) => ({ ...agent(world), clusterId: world.clusterId });
const topic = (world: World) => ({ ...agent(world), topicId: world.topicId });

/** The calls that let an agent learn from what it could not answer. */
export const improvementMatrix = {
  'improvement.listClusters': { input: agent, expect: readers },
  'improvement.getCluster': { input: cluster, expect: readers },
  'improvement.draftAnswer': { input: cluster, expect: writers },
  'improvement.approveAnswer': {
    input: (world) => ({ ...cluster(world), question: 'Are you open?', answer: 'From nine to five.' }),
    expect: writers,
  },
  'improvement.reopenCluster': { input: cluster, expect: writers },
  'improvement.dismissCluster': { input: cluster, expect: writers },
  'improvement.listTopics': { input: agent, expect: readers },
  'improvement.updateTopic': { input: (world) => ({ ...topic(world), name: 'Hours' }), expect: writers },
  // A new ID each time, which doesn't exist.
  'improvement.mergeTopic': {
    input: (world) => ({ ...topic(world), intoId: newId('topic') }),
    expect: { ...notThere, outsider: 404 },
  },
  // For an agent that doesn't exist: whether there is something to name changes by itself.
  'improvement.nameTopics': {
    input: () => ({ id: newId('agent') }),
    expect: { ...notThere, outsider: 404, viewer: 404, readKey: 404 },
  },
  'estimate.getSetting': { input: agent, expect: readers },
  'estimate.setSetting': { input: (world) => ({ ...agent(world), enabled: false }), expect: writers },
} satisfies Record<string, Row>;
