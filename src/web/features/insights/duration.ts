import { wordLocale } from '../../messages/locale.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const steps = [
  ['hour', HOUR, 1],
  ['minute', MINUTE, 0],
  ['second', SECOND, 1],
] as const;

/** For 1,400 ms: 1.4 sec. */
export function formatDuration(ms: number): string {
  const [unit, size, digits] = steps.find((step) => ms >= step[1]) ?? (['millisecond', 1, 0] as const);
  return new Intl.NumberFormat(wordLocale, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: digits,
  }).format(ms / size);
}
