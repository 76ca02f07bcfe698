/** The viewer's own time zone, used for days and hours. */
export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
