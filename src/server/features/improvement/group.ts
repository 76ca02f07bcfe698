import { createYield } from '../../load/yielding.ts';
import { weigh, type Terms, type Weighed } from './likeness.ts';
import { joinByMeaning, type Vector } from './meaning.ts';
import { inOrder, Nodes, type Node } from './nodes.ts';

export interface Item {
  id: string;
  terms: Terms;
  vector?: Vector | undefined;
  /** Its current group; null for a new one. */
  group: string | null;
  /** It belongs to a closed group or to none. */
  isLoose?: boolean;
}

export interface Grouped {
  /** Best first: the one most similar to all the others. */
  items: string[];
  /** Their previous groups, oldest first, which is continued; empty for a new one. */
  groups: string[];
}

interface GroupingRules {
  /** The similarity two groups must exceed to merge, 0 to 1. */
  least: number;
  /** The same for vectors. */
  leastSimilar?: number | undefined;
  /** Groups that take in new items but don't change otherwise. */
  closed?: ReadonlySet<string>;
}

/**
 * Groups similar items, most similar first, until no two groups are more similar than `least`: average linkage, using
 * nearest-neighbor chains. Items of one group stay together. The same items in the same order give the same groups.
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
        // Averages don't grow: a node that resembles nothing now won't resemble any later merge of the others.
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
    // Identical words are the most similar: these would be merged first.
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
