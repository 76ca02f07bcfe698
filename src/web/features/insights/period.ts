import { insightPeriods, type InsightPeriod } from '../../../contract/insight-periods.ts';

/** What the address says; of what it says otherwise there is no page, so the usual one is shown. */
export function periodOf(text: string | undefined, usual: InsightPeriod = '7d'): InsightPeriod {
  return insightPeriods.find((each) => each === text) ?? usual;
}
