import { sql, type SQL } from 'drizzle-orm';
import type { InsightPeriod } from '../../../contract/insight-periods.ts';
import { anyOf } from './counting.ts';

/** Whose numbers. */
export interface Scope {
  organizationId: string;
  agentIds: readonly string[];
  /** Only this end user's. */
  userId?: string;
}

/** A period and the same length of the one before it, as moments. */
export interface Range {
  period: InsightPeriod;
  timeZone: string;
  from: string;
  until: string;
  beforeFrom: string;
  /** Within the last hour that counts. */
  beforeUntil: string;
  /** Excludes anything after `until`. */
  isOver?: true;
}

/** Condition on rows of `x` with an `hour`. */
export const ofScope = ({ organizationId, agentIds, userId }: Scope): SQL =>
  sql`x.organization_id = ${organizationId} and x.agent_id = ${anyOf(agentIds)} ${userId === undefined ? sql`` : sql`and x.user_id = ${userId}`}`;
export const isNow = ({ from, until }: Range): SQL =>
  sql`(x.hour >= ${from}::timestamptz and x.hour < ${until}::timestamptz)`;
export const inRange = (range: Range): SQL =>
  sql`(${isNow(range)} or (x.hour >= ${range.beforeFrom}::timestamptz and x.hour <= ${range.beforeUntil}::timestamptz))`;
