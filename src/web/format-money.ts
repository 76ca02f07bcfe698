import { numberLocale } from './messages/locale.ts';

/** Amounts of money in the reader's locale; separate from other numbers, since few first pages have any. */

/** For 1900 and `usd`: $19.00. The amount is in the smallest unit of the currency. */
export function formatMoney(amount: number, currency: string, { whole = false } = {}): string {
  const format = new Intl.NumberFormat(numberLocale, {
    style: 'currency',
    currency,
    ...(whole && { maximumFractionDigits: 0 }),
  });
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat(numberLocale, {
    style: 'currency',
    currency,
  }).resolvedOptions();
  return format.format(amount / 10 ** digits);
}

/** For `0.0042`: $0.0042. Amounts below a dollar are not rounded to nothing. */
export function formatUsd(amount: string): string {
  const value = Number(amount);
  const maximumFractionDigits = value !== 0 && value < 1 ? 6 : 2;
  return new Intl.NumberFormat(numberLocale, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits,
  }).format(value);
}
