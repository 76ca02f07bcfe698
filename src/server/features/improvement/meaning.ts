import { mayJoin, takeIn, type Node } from './nodes.ts';

export type Vector = Float32Array;

/**
 * Merges nodes that mean the same in other words: those with the most similar vectors first, down to `least`. In case
 * of ties, the earliest ones.
 */
export async function joinByMeaning(
  nodes: readonly Node[],
  vectors: readonly (Vector | undefined)[],
  least: number,
  breathe: () => Promise<unknown>,
): Promise<Node[]> {
  const middles = nodes.map(({ members }) => middleOf(members.flatMap((member) => vectors[member] ?? [])));
  const pairs: { one: number; other: number; similarity: number }[] = [];
  for (const one of nodes.keys()) {
    await breathe();
    for (let other = one + 1; other < nodes.length; other += 1) {
      const similarity = dot(middles[one], middles[other]);
      if (similarity >= least) pairs.push({ one, other, similarity });
    }
  }
  pairs.sort((a, b) => b.similarity - a.similarity || a.one - b.one || a.other - b.other);
  const home = [...nodes];
  for (const { one, other } of pairs) {
    const [into, taken] = [home[one] as Node, home[other] as Node];
    if (into === taken || !mayJoin(into, taken)) continue;
    takeIn(into, taken);
    for (const [at, node] of home.entries()) if (node === taken) home[at] = into;
  }
  return [...new Set(home)];
}

function middleOf(vectors: Vector[]): Vector | undefined {
  const [first, ...others] = vectors;
  if (!first) return undefined;
  const sum = Float32Array.from(first);
  for (const vector of others) for (const [at, value] of vector.entries()) sum[at] = (sum[at] ?? 0) + value;
  const length = Math.hypot(...sum) || 1;
  return sum.map((value) => value / length);
}

function dot(one: Vector | undefined, other: Vector | undefined): number {
  if (!one || one.length !== other?.length) return 0;
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}
