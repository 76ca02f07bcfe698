/** Times are Unix seconds, in UTC. */
export const DAY_SECONDS = 86_400;

/** The time one period later. Months keep the day of the first period if they have it (31, then 28, then 31). */
export function addInterval(from: number, interval: string, count: number, anchor: number): number {
  if (interval === 'day') return from + count * DAY_SECONDS;
  if (interval === 'week') return from + 7 * count * DAY_SECONDS;
  const date = new Date(from * 1000);
  const months = interval === 'year' ? 12 * count : count;
  const day = new Date(anchor * 1000).getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const days = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, days));
  return Math.floor(date.getTime() / 1000);
}
