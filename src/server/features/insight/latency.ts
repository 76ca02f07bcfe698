/**
 * Latencies are kept as how many fell into each bucket: so sums of hours are sums of any period. The bounds grow by the square
 * root of two from 20 ms to 15 minutes; bucket `n` begins at bound `n` (one-based) and bucket 0 at nothing. A percentile that is
 * read from them is at most a fifth away from the exact one, mostly much less.
 */
export const LATENCY_BUCKET_BOUNDS_MS = Array.from({ length: 32 }, (_, step) =>
  Math.round(20 * 2 ** (step / 2)),
);

/** The share of latencies, 0 to 1, that were at most the answer; null of none. Inside a bucket they are taken to be spread evenly by ratio. */
export function percentileOf(buckets: ReadonlyMap<number, number>, share: number): number | null {
  const all = [...buckets.values()].reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  let left = share * all;
  for (const [bucket, count] of [...buckets].toSorted(([a], [b]) => a - b)) {
    if (left <= count) return inBucket(bucket, left / count);
    left -= count;
  }
  return LATENCY_BUCKET_BOUNDS_MS.at(-1) ?? null;
}

function inBucket(bucket: number, place: number): number {
  const from = LATENCY_BUCKET_BOUNDS_MS[bucket - 1] ?? 10;
  const to = LATENCY_BUCKET_BOUNDS_MS[bucket] ?? from * Math.SQRT2;
  return Math.round(from * (to / from) ** place);
}
