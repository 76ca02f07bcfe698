import type { Period } from './use-products.ts';

const lengths: Record<Period, number> = { '7d': 7, '30d': 30, '90d': 90, '1y': 365 };
const DAY_MS = 86_400_000;

/** The days of a period that ends today, as `2026-03-01`, in UTC. */
export function daysOf(period: Period, today: Date): string[] {
  const count = lengths[period];
  return Array.from({ length: count }, (_, index) =>
    new Date(today.getTime() - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}
