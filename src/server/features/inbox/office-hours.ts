import type { OfficeHours } from '../../../contract/inbox.ts';

const MONDAY_FIRST = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Whether people answer at that moment, by the clocks of the time zone. */
export function isOpenAt({ timeZone, days }: OfficeHours, moment: Date): boolean {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  const hours = days[MONDAY_FIRST.indexOf(parts.get('weekday') ?? '')];
  const now = `${parts.get('hour')}:${parts.get('minute')}`;
  return hours !== undefined && hours !== null && hours.from <= now && now < hours.to;
}
