import { newId } from '../../src/server/id.ts';
import { agentInOrganization, notPersons, notThere, readers, writers, type Row } from './expected.ts';
import type { World } from './world.ts';

const first = (world: World) => ({ ...agentInOrganization(world), number: 1 });
const set = (world: World) => ({ ...agentInOrganization(world), testSetId: world.testSetId });
const run = (world: World) => ({ ...set(world), runId: newId('testRun') });
/** For something that doesn't exist: callers who may look it up are told so. */
const missing = (allowed: Row['expect']): Row['expect'] => inPlaceOf200(allowed, 404);
const inPlaceOf200 = (allowed: Row['expect'], other: number): Row['expect'] =>
  Object.fromEntries(
    Object.entries(allowed).map(([kind, status]) => [kind, status === 200 ? other : status]),
  ) as Row['expect'];

/** The calls on versions and test sets. */
export const versionMatrix = {
  'version.list': { input: agentInOrganization, expect: readers },
  'version.get': { input: first, expect: readers },
  'version.gates': { input: first, expect: readers },
  'version.annotate': { input: (world) => ({ ...first(world), note: 'Noted' }), expect: writers },
  'version.restore': { input: first, expect: writers },
  'version.publish': { input: first, expect: writers },

  'chatbot.week': { input: agentInOrganization, expect: readers },
  // The matrix has no model that can write.
  'chatbot.improveInstructions': {
    input: (world) => ({ ...agentInOrganization(world), customInstructions: 'Be brief.' }),
    expect: inPlaceOf200(writers, 503),
  },

  'testSet.list': { input: agentInOrganization, expect: readers },
  'testSet.get': { input: set, expect: readers },
  'testSet.create': { input: (world) => ({ ...agentInOrganization(world), name: 'More' }), expect: writers },
  'testSet.update': { input: (world) => ({ ...set(world), name: 'Basics' }), expect: writers },
  'testSet.exportCsv': { input: set, expect: readers },
  'testSet.importCsv': { input: (world) => ({ ...set(world), csv: 'question\nWhy?' }), expect: writers },
  // Keys aren't persons on whose behalf questions could be asked.
  'testSet.run': {
    input: (world) => ({ ...set(world), version: 999 }),
    expect: { ...missing(writers), ...notPersons },
  },
  'testSet.listRuns': { input: set, expect: readers },
  'testSet.getRun': { input: run, expect: missing(readers) },
  'testSet.stopRun': { input: run, expect: missing(writers) },
  'testSet.remove': {
    input: (world) => ({ ...set(world), testSetId: newId('testSet') }),
    expect: notThere,
  },
} satisfies Record<string, Row>;
