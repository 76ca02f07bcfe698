/** The viewer's own, whose days and hours are shown. */
export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
