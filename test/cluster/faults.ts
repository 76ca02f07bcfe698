import { webs, workers, type Cluster } from './cluster.ts';

/** Something that happens to a node, and how to undo it. */
interface Fault {
  nodes: readonly string[];
  begin: (cluster: Cluster, node: string) => Promise<void>;
  end: (cluster: Cluster, node: string) => Promise<void>;
}

const killed = (nodes: readonly string[]): Fault => ({
  nodes,
  begin: (cluster, node) => cluster.program(node).kill(),
  end: (cluster, node) => cluster.program(node).start(),
});

const cutOff = (nodes: readonly string[]): Fault => ({
  nodes,
  begin: ({ network }, node) => network.cut(node),
  end: ({ network }, node) => network.heal(node),
});

export const faults = {
  'web killed': killed(webs),
  'worker killed': killed(workers),
  'Redis killed': killed(['redis']),
  'PostgreSQL killed': killed(['postgres']),
  'web cut off': cutOff(webs),
  'worker cut off': cutOff(workers),
  'Redis cut off': cutOff(['redis']),
  'PostgreSQL cut off': cutOff(['postgres']),
} as const;

export type FaultName = keyof typeof faults;
export const faultNames = Object.keys(faults) as FaultName[];

/** This many of them in random order, each equally often. */
export function drawn(names: readonly FaultName[], count: number): FaultName[] {
  const all: FaultName[] = [];
  while (all.length < count) all.push(...shuffled(names));
  return all.slice(0, count);
}

export function oneOf<T>(values: readonly T[]): T {
  const value = values[Math.floor(Math.random() * values.length)];
  if (value === undefined) throw new Error('There are no values to choose from.');
  return value;
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ value }) => value);
}
