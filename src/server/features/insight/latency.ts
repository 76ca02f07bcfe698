/**
 * Latencies are stored as counts per bucket, so hourly sums add up to any period. The bounds grow by the square root of
 * two from 20 ms to 15 minutes; bucket `n` begins at bound `n` (one-based) and bucket 0 at zero. A percentile computed
 * from them is at most a fifth away from the exact one, usually much less.
 */
export const LATENCY_BUCKET_BOUNDS_MS = Array.from({ length: 32 }, (_, step) =>
  Math.round(20 * 2 ** (step / 2)),
);

/**
 * The latency that the given share, 0 to 1, doesn't exceed; null for none. Within a bucket an even distribution by
 * ratio is assumed.
 */
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
