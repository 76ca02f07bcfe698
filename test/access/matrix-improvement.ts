import { newId } from '../../src/server/id.ts';
import { agent, notThere, readers, writers, type Row } from './expected.ts';
import type { World } from './world.ts';

const cluster = (world: World) => ({ ...agent(world), clusterId: world.clusterId });
const topic = (world: World) => ({ ...agent(world), topicId: world.topicId });

/** The calls by which an agent learns from what it could not answer. */
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
  // Each time another one, which is not there.
  'improvement.mergeTopic': {
    input: (world) => ({ ...topic(world), intoId: newId('topic') }),
    expect: { ...notThere, outsider: 404 },
  },
  // Of an agent that does not exist: whether there is something to name changes by itself.
  'improvement.nameTopics': {
    input: () => ({ id: newId('agent') }),
    expect: { ...notThere, outsider: 404, viewer: 404, readKey: 404 },
  },
  'estimate.getSetting': { input: agent, expect: readers },
  'estimate.setSetting': { input: (world) => ({ ...agent(world), enabled: false }), expect: writers },
} satisfies Record<string, Row>;
