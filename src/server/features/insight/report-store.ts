import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { ReportPace } from '../../../contract/insight-periods.ts';
import { insightReport, user } from '../../db/schema/index.ts';
import type { Database, Tx } from '../../db/scope.ts';

export interface ReportKey {
  organizationId: string;
  userId: string;
}

const MORNING_HOUR = 7;

/** The next Monday, or first of the month, at seven in the morning there. */
const nextOf = (every: ReportPace, timeZone: string): SQL =>
  sql`(date_trunc(${every}::text, now() at time zone ${timeZone}::text) + ('1 ' || ${every}::text)::interval
    + make_interval(hours => ${MORNING_HOUR}::int)) at time zone ${timeZone}::text`;

const isIt = ({ organizationId, userId }: ReportKey) =>
  and(eq(insightReport.organizationId, organizationId), eq(insightReport.userId, userId));

export async function findReport(tx: Tx, key: ReportKey): Promise<ReportPace | null> {
  const [found] = await tx.select({ every: insightReport.every }).from(insightReport).where(isIt(key));
  return found?.every ?? null;
}

export async function setReport(tx: Tx, key: ReportKey, every: ReportPace, timeZone: string): Promise<void> {
  const values = { every, timeZone, dueAt: nextOf(every, timeZone) as never };
  await tx
    .insert(insightReport)
    .values({ ...key, ...values })
    .onConflictDoUpdate({ target: [insightReport.organizationId, insightReport.userId], set: values });
}

export async function removeReport(tx: Tx, key: ReportKey): Promise<void> {
  await tx.delete(insightReport).where(isIt(key));
}

/** Covers every organization, so it runs as the owner. */
export async function listDue({ owner }: Pick<Database, 'owner'>): Promise<ReportKey[]> {
  const { rows } = await owner.query<ReportKey>(
    `select organization_id as "organizationId", user_id as "userId" from insight_report where due_at <= now()`,
  );
  return rows;
}

/** The report that is due, with its next time already recorded; undefined if another process has just taken it. */
export async function takeDue(
  tx: Tx,
  key: ReportKey,
): Promise<{ every: ReportPace; timeZone: string } | undefined> {
  const [due] = await tx
    .select({ every: insightReport.every, timeZone: insightReport.timeZone })
    .from(insightReport)
    .where(and(isIt(key), sql`${insightReport.dueAt} <= now()`))
    .for('update', { skipLocked: true });
  if (!due) return undefined;
  await tx
    .update(insightReport)
    .set({ dueAt: nextOf(due.every, due.timeZone) })
    .where(isIt(key));
  return due;
}

/** Null without a verified address. */
export async function addressOf(tx: Tx, userId: string): Promise<string | null> {
  const [found] = await tx
    .select({ email: user.email })
    .from(user)
    .where(and(eq(user.id, userId), eq(user.emailVerified, true)));
  return found?.email ?? null;
}
