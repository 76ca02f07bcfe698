import { sql, type SQL } from 'drizzle-orm';
import type { InsightPeriod, ReportPace } from '../../../contract/insight-periods.ts';
import type { Tx } from '../../db/scope.ts';
import type { Range } from './scope.ts';

/** A period's start and end, by the database's clock. */

const days: Record<InsightPeriod, number> = { '24h': 1, '7d': 7, '30d': 30, '90d': 90, '1y': 365 };

export const daysOf = (period: InsightPeriod): number => days[period];

/** Days start at midnight in the time zone. The previous period counts only as far as the current one has progressed. */
export async function readRange(tx: Tx, period: InsightPeriod, timeZone: string): Promise<Range> {
  const local = localIn(timeZone);
  const inZone = hourIn(timeZone);
  const hour = sql`date_trunc('hour', now(), 'UTC')`;
  const length = sql`make_interval(days => ${days[period]}::int)`;
  const midnight = sql`date_trunc('day', ${local}) + interval '1 day'`;
  const moments =
    period === '24h'
      ? {
          from: sql`${hour} - interval '23 hours'`,
          beforeFrom: sql`${hour} - interval '47 hours'`,
          beforeUntil: sql`now() - interval '24 hours'`,
        }
      : {
          from: inZone(sql`${midnight} - ${length}`),
          beforeFrom: inZone(sql`${midnight} - 2 * ${length}`),
          beforeUntil: inZone(sql`${local} - ${length}`),
        };
  return { period, timeZone, ...(await readMoments(tx, { ...moments, until: sql`now()` })) };
}

/** The last complete week from Monday on, or calendar month, so that consecutive ones cover every moment exactly once. */
export async function readEndedRange(tx: Tx, every: ReportPace, timeZone: string): Promise<Range> {
  const inZone = hourIn(timeZone);
  const until = sql`date_trunc(${every}::text, ${localIn(timeZone)})`;
  const length = sql`('1 ' || ${every}::text)::interval`;
  const moments = await readMoments(tx, {
    from: inZone(sql`${until} - ${length}`),
    until: inZone(until),
    beforeFrom: inZone(sql`${until} - 2 * ${length}`),
    beforeUntil: sql`${inZone(sql`${until} - ${length}`)} - interval '1 hour'`,
  });
  return { period: every === 'week' ? '7d' : '30d', timeZone, ...moments, isOver: true };
}

const localIn = (timeZone: string): SQL => sql`(now() at time zone ${timeZone}::text)`;

/** The hour in the time zone that contains a moment. */
const hourIn =
  (timeZone: string) =>
  (moment: SQL): SQL =>
    sql`date_trunc('hour', (${moment}) at time zone ${timeZone}::text, 'UTC')`;

type Moment = 'from' | 'until' | 'beforeFrom' | 'beforeUntil';

async function readMoments(tx: Tx, moments: Record<Moment, SQL>): Promise<Record<Moment, string>> {
  const { rows } = await tx.execute<Record<Moment, string>>(sql`
    select ${moments.from} as from, ${moments.until} as until, ${moments.beforeFrom} as "beforeFrom",
           ${moments.beforeUntil} as "beforeUntil"`);
  const read = rows[0] as (typeof rows)[number];
  const iso = (moment: string) => new Date(moment).toISOString();
  return {
    from: iso(read.from),
    until: iso(read.until),
    beforeFrom: iso(read.beforeFrom),
    beforeUntil: iso(read.beforeUntil),
  };
}
