import { insightPeriods, type InsightPeriod } from '../../../contract/insight-periods.ts';

/** The address's period; for an invalid one, the default. */
export function periodOf(text: string | undefined, usual: InsightPeriod = '7d'): InsightPeriod {
  return insightPeriods.find((each) => each === text) ?? usual;
}
