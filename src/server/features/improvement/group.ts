import { createYield } from '../../load/yielding.ts';
import { weigh, type Terms, type Weighed } from './likeness.ts';
import { joinByMeaning, type Vector } from './meaning.ts';
import { inOrder, Nodes, type Node } from './nodes.ts';

export interface Item {
  id: string;
  terms: Terms;
  vector?: Vector | undefined;
  /** The group that it is in already; null for a new one. */
  group: string | null;
  /** It belongs to a closed group or to none. */
  isLoose?: boolean;
}

export interface Grouped {
  /** Best first: the one that is most like all the others. */
  items: string[];
  /** The groups that they were in before, the oldest first, which goes on; empty for a new one. */
  groups: string[];
}

interface GroupingRules {
  /** More alike than this two groups must be to become one, 0 to 1. */
  least: number;
  /** The same of vectors. */
  leastSimilar?: number | undefined;
  /** Groups that take in new items and do not change in any other way. */
  closed?: ReadonlySet<string>;
}

/**
 * Puts together what is alike, the most alike first, until no two groups are more alike than `least`: average linkage, by
 * chains of nearest neighbours. What was in one group stays in one. The same items in the same order give the same groups.
 */
export async function group(
  items: readonly Item[],
  { least, leastSimilar, closed = new Set() }: GroupingRules,
): Promise<Grouped[]> {
  const weighed = weigh(items.map(({ terms }) => terms));
  const yieldToOthers = createYield();
  const byWords = await joinByWords(startingNodes(items, weighed, closed), least, yieldToOthers);
  const vectors = items.map(({ vector }) => vector);
  const nodes =
    leastSimilar === undefined ? byWords : await joinByMeaning(byWords, vectors, leastSimilar, yieldToOthers);
  return nodes.map((node) => ({
    groups: node.groups,
    items: inOrder(node, weighed).map((member) => items[member]?.id ?? ''),
  }));
}

async function joinByWords(
  all: Node[],
  least: number,
  yieldToOthers: () => Promise<unknown>,
): Promise<Node[]> {
  const nodes = new Nodes(all);
  const open = new Set(all.keys());
  const ended: Node[] = [];
  const chain: number[] = [];
  for (const [first] of open.entries()) {
    if (chain.length === 0) chain.push(first);
    while (chain.length > 0) {
      await yieldToOthers();
      const at = chain.at(-1) as number;
      const before = chain.at(-2);
      const next = nodes.nearest(at, least, before);
      if (next !== undefined && next !== before) {
        chain.push(next);
        continue;
      }
      open.delete(at);
      if (next === undefined) {
        // Averages do not grow: what is like nothing now is like nothing that comes of the others.
        chain.length -= 1;
        nodes.remove(at);
        ended.push(all[at] as Node);
      } else {
        chain.length -= 2;
        nodes.merge(next, at);
        if (chain.length === 0) chain.push(next);
      }
    }
  }
  return ended;
}

function startingNodes(
  items: readonly Item[],
  weighed: readonly Weighed[],
  closed: ReadonlySet<string>,
): Node[] {
  const known = new Map<string, Node>();
  const nodes: Node[] = [];
  for (const [at, { terms: said, group: name, isLoose = false }] of items.entries()) {
    const terms = weighed[at] ?? new Map<number, number>();
    // The same words are most alike: they would be put together first.
    const key = name === null ? `new ${isLoose} ${JSON.stringify(said)}` : `group ${name}`;
    const node = known.get(key);
    if (node) {
      node.members.push(at);
      for (const [term, weight] of terms) node.sum.set(term, (node.sum.get(term) ?? 0) + weight);
      continue;
    }
    const groups = name === null ? [] : [name];
    const isClosed = name !== null && closed.has(name);
    const made = { members: [at], sum: new Map(terms), groups, isClosed, isLoose };
    known.set(key, made);
    nodes.push(made);
  }
  return nodes;
}
