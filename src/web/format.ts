import { numberLocale, wordLocale } from './messages/locale.ts';

/** Numbers, sizes and times in the reader's locale. */

const number = new Intl.NumberFormat(numberLocale);
const compact = new Intl.NumberFormat(wordLocale, { notation: 'compact' });
const share = new Intl.NumberFormat(numberLocale, { style: 'percent' });
const score = new Intl.NumberFormat(numberLocale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const relative = new Intl.RelativeTimeFormat(wordLocale, { numeric: 'auto', style: 'long' });
const exact = new Intl.DateTimeFormat(wordLocale, { dateStyle: 'medium', timeStyle: 'short' });

const day = new Intl.DateTimeFormat(wordLocale, { dateStyle: 'long' });

const MINUTE = 60;
const units = [
  ['year', 365 * 24 * 60 * MINUTE],
  ['month', 30 * 24 * 60 * MINUTE],
  ['day', 24 * 60 * MINUTE],
  ['hour', 60 * MINUTE],
  ['minute', MINUTE],
] as const;

export const formatNumber = (value: number) => number.format(value);
/** For 12,345: 12K. */
export const formatCompact = (value: number) => compact.format(value);
/** For 0.5: 50 %. */
export const formatShare = (value: number) => share.format(value);
export const formatScore = (value: number) => score.format(value);
export const formatExactTime = (iso: string) => exact.format(new Date(iso));

export const formatDay = (iso: string) => day.format(new Date(iso));

export function formatRelativeTime(iso: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1000);
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return relative.format(Math.round(seconds / size), unit);
  }
  return relative.format(0, 'second');
}

export function formatBytes(bytes: number): string {
  const steps = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  const step = bytes < 1 ? 0 : Math.min(steps.length - 1, Math.floor(Math.log10(bytes) / 3));
  const format = {
    style: 'unit',
    unit: steps[step],
    // The long form: the short form of "byte" has no plural.
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  } as const;
  return new Intl.NumberFormat(wordLocale, format).format(bytes / 1000 ** step);
}
