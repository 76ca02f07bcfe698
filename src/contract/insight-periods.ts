/** Names only, for pages too small for a schema library. */

/** `24h`: hours up to the current one. The others: days in the viewer's time zone, up to today. */
export const insightPeriods = ['24h', '7d', '30d', '90d', '1y'] as const;
export type InsightPeriod = (typeof insightPeriods)[number];

/** How often the numbers are emailed: on Mondays, or on the first of the month. */
export const reportPaces = ['week', 'month'] as const;
export type ReportPace = (typeof reportPaces)[number];
