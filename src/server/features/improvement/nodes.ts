import { likeness, type Weighed } from './likeness.ts';

/** Items being grouped together. */
export interface Node {
  /** By their position among all. */
  members: number[];
  /** The sum of their weights. */
  sum: Weighed;
  /** The previous groups it consists of, oldest first; empty if all of it is new. */
  groups: string[];
  /** It takes in new items but doesn't change otherwise. */
  isClosed: boolean;
  /** It belongs to a closed group or to none. */
  isLoose: boolean;
}

export function mayJoin(one: Node, other: Node): boolean {
  return mayTake(one, other) && mayTake(other, one);
}

function mayTake(one: Node, other: Node): boolean {
  if (one.isClosed && (other.isClosed || other.groups.length > 0)) return false;
  return !other.isLoose || one.isClosed;
}

/** `taken` becomes part of `node`. */
export function takeIn(node: Node, taken: Node): void {
  node.groups = [...node.groups, ...taken.groups].toSorted();
  node.isClosed ||= taken.isClosed;
  node.isLoose &&= taken.isLoose;
  node.members.push(...taken.members);
  for (const [term, weight] of taken.sum) node.sum.set(term, (node.sum.get(term) ?? 0) + weight);
}

/** Sums of the same numbers in a different order differ by less than this. */
const INEXACT = 1e-7;

/** Nodes indexed by term, so that only those with a term in common are compared. */
export class Nodes {
  readonly all: readonly Node[];
  readonly #holding = new Map<number, Map<number, number>>();

  constructor(all: readonly Node[]) {
    this.all = all;
    for (const at of all.keys()) this.#note(at, this.#at(at).sum);
  }

  /**
   * The node most similar to it by average linkage, above `least`; in case of ties the first. Any node other than
   * `before` must be more similar by more than rounding errors in sums, so that no chain goes in circles.
   */
  nearest(at: number, least: number, before: number | undefined): number | undefined {
    const node = this.#at(at);
    const sums = this.#sums(node);
    const alikeTo = (other: number): number =>
      mayJoin(node, this.#at(other))
        ? (sums.get(other) ?? 0) / (node.members.length * this.#at(other).members.length)
        : 0;
    const known = before === undefined ? 0 : alikeTo(before);
    let best = known > least ? before : undefined;
    let most = Math.max(least, known + INEXACT);
    for (const other of sums.keys()) {
      const alike = alikeTo(other);
      const isBetter = alike > most || (alike === most && best !== before && other < (best ?? 0));
      if (other === at || other === before || !isBetter) continue;
      best = other;
      most = alike;
    }
    return best;
  }

  /** `from` becomes part of `into`. */
  merge(into: number, from: number): void {
    this.remove(from);
    takeIn(this.#at(into), this.#at(from));
    this.#note(into, this.#at(from).sum);
  }

  remove(at: number): void {
    for (const term of this.#at(at).sum.keys()) this.#holding.get(term)?.delete(at);
  }

  #at(at: number): Node {
    return this.all[at] as Node;
  }

  #sums(node: Node): Map<number, number> {
    const sums = new Map<number, number>();
    for (const [term, weight] of node.sum)
      for (const [other, theirs] of this.#holding.get(term) ?? [])
        sums.set(other, (sums.get(other) ?? 0) + weight * theirs);
    return sums;
  }

  #note(at: number, terms: Weighed): void {
    for (const term of terms.keys()) {
      const holding = this.#holding.get(term) ?? new Map<number, number>();
      this.#holding.set(term, holding.set(at, this.#at(at).sum.get(term) ?? 0));
    }
  }
}

/** Its members, starting with the one most similar to all of them. */
export function inOrder({ members, sum }: Node, weighed: readonly Weighed[]): number[] {
  const scored = members.map((member) => ({ member, score: likeness(weighed[member] ?? new Map(), sum) }));
  return scored.toSorted((a, b) => b.score - a.score || a.member - b.member).map(({ member }) => member);
}
