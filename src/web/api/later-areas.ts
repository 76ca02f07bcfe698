/** Areas of the API whose calls come with the screens that make them, in place of with every page. */
export const laterAreas = [
  'audit',
  'connect',
  'coupon',
  'earning',
  'endUser',
  'estimate',
  'improvement',
  'insight',
  'insightLink',
  'lead',
  'modelPrice',
  'plugin',
  'privacy',
  'push',
  'revision',
  'source',
  'toolSignIn',
  'version',
  'webhook',
  'website',
] as const;
export type LaterArea = (typeof laterAreas)[number];
