/** Areas of the API whose calls come with the screens that make them, in place of with every page. */
export const laterAreas = ['audit', 'coupon', 'improvement', 'lead', 'revision', 'website'] as const;
export type LaterArea = (typeof laterAreas)[number];
