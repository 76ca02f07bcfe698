/** Names alone, for pages that are too small for a schema library. */

/** `24h`: hours up to this one. The others: days of the viewer's time zone, up to today. */
export const insightPeriods = ['24h', '7d', '30d', '90d', '1y'] as const;
export type InsightPeriod = (typeof insightPeriods)[number];

/** How often the numbers come by mail: on Mondays, or on the first of a month. */
export const reportPaces = ['week', 'month'] as const;
export type ReportPace = (typeof reportPaces)[number];
