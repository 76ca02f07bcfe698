import { endsNextDay, type OfficeHours } from '../../../contract/inbox.ts';

const DAY_MS = 24 * 3_600_000;

/**
 * Whether people answer at that moment, in local time of the time zone. If clocks are set back within the hours, these
 * start with the first and end with the last occurrence of the time; a skipped time is shifted by as much as the
 * clocks.
 */
export function isOpenAt({ timeZone, days }: OfficeHours, moment: Date): boolean {
  const now = moment.getTime();
  const today = Math.floor((now + offsetAt(timeZone, now)) / DAY_MS);
  return [today - 1, today].some((day) => {
    // 1 January 1970 was a Thursday.
    const hours = days[(day + 3) % 7];
    if (!hours) return false;
    const ends = endsNextDay(hours) ? day + 1 : day;
    const begin = Math.min(...momentsOf(timeZone, day, hours.from));
    return begin <= now && now < Math.max(...momentsOf(timeZone, ends, hours.to));
  });
}

/** When local clocks show this time on that day, counted from 1970: once, or twice if they are set back. */
function momentsOf(timeZone: string, day: number, time: string): number[] {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const shown = day * DAY_MS + (hours * 60 + minutes) * 60_000;
  const [early = 0, late = 0] = [-DAY_MS, DAY_MS].map((away) => shown - offsetAt(timeZone, shown + away));
  const right = [early, late].filter((each) => each + offsetAt(timeZone, each) === shown);
  return right.length > 0 ? right : [early];
}

/** The zone's offset from UTC in milliseconds. */
function offsetAt(timeZone: string, moment: number): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  });
  const parts = format.formatToParts(moment);
  const part = (wanted: string) => Number(parts.find(({ type }) => type === wanted)?.value);
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  return shown - Math.floor(moment / 60_000) * 60_000;
}
